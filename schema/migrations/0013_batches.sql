CREATE TABLE "batch_meetings" (
	"batch_id" text NOT NULL,
	"position" integer NOT NULL,
	"reference" text NOT NULL,
	"requester_email" text NOT NULL,
	"other_email" text NOT NULL,
	"request" jsonb NOT NULL,
	"state" text NOT NULL,
	"times" jsonb,
	"starts_at" timestamptz(3),
	"ends_at" timestamptz(3),
	"meeting_id" text,
	"failures" integer DEFAULT 0 NOT NULL,
	"misses" integer DEFAULT 0 NOT NULL,
	"reason" jsonb,
	CONSTRAINT "batch_meetings_pkey" PRIMARY KEY("batch_id","position"),
	CONSTRAINT "batch_meetings_state" CHECK ("batch_meetings"."state" in ('open', 'placed', 'booked', 'unplaced', 'failed', 'cancelled')),
	CONSTRAINT "batch_meetings_time" CHECK ("batch_meetings"."state" not in ('placed', 'booked') or ("batch_meetings"."starts_at" < "batch_meetings"."ends_at")),
	CONSTRAINT "batch_meetings_booked" CHECK ("batch_meetings"."state" <> 'booked' or "batch_meetings"."meeting_id" is not null),
	CONSTRAINT "batch_meetings_reason" CHECK ("batch_meetings"."state" not in ('unplaced', 'failed') or "batch_meetings"."reason" is not null)
);
--> statement-breakpoint
CREATE TABLE "batches" (
	"id" text PRIMARY KEY NOT NULL,
	"platform_id" text NOT NULL,
	"status" text NOT NULL,
	"is_dry_run" boolean NOT NULL,
	"total" integer NOT NULL,
	"options" jsonb NOT NULL,
	"progress" jsonb,
	"attempts" integer DEFAULT 0 NOT NULL,
	"owner" text,
	"lease_until" timestamptz(3),
	"next_run_at" timestamptz(3),
	"asked_at" timestamptz(3),
	"created_at" timestamptz(3) NOT NULL,
	"committed_at" timestamptz(3),
	"ended_at" timestamptz(3),
	CONSTRAINT "batches_status" CHECK ("batches"."status" in ('processing', 'planned', 'completed', 'cancelled')),
	CONSTRAINT "batches_end" CHECK (case "batches"."status" when 'completed' then "batches"."ended_at" is not null when 'cancelled' then true else "batches"."ended_at" is null end)
);
--> statement-breakpoint
ALTER TABLE "batch_meetings" ADD CONSTRAINT "batch_meetings_batch" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "batch_meetings_meeting" ON "batch_meetings" USING btree ("meeting_id") WHERE "batch_meetings"."meeting_id" is not null;--> statement-breakpoint
CREATE INDEX "batch_meetings_requester" ON "batch_meetings" USING btree ("requester_email");--> statement-breakpoint
CREATE INDEX "batch_meetings_other" ON "batch_meetings" USING btree ("other_email");--> statement-breakpoint
CREATE INDEX "batches_due" ON "batches" USING btree ("platform_id","next_run_at") WHERE "batches"."next_run_at" is not null;--> statement-breakpoint
CREATE INDEX "batches_age" ON "batches" USING btree ("platform_id","created_at");