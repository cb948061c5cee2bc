CREATE TABLE "proposal_times" (
	"id" text PRIMARY KEY NOT NULL,
	"proposal_id" text NOT NULL,
	"position" integer NOT NULL,
	"starts_at" timestamptz(3) NOT NULL,
	"ends_at" timestamptz(3) NOT NULL,
	"reason" text NOT NULL,
	"status" text NOT NULL,
	CONSTRAINT "proposal_times_status" CHECK ("proposal_times"."status" in ('held', 'accepted', 'released')),
	CONSTRAINT "proposal_times_order" CHECK ("proposal_times"."starts_at" < "proposal_times"."ends_at")
);
--> statement-breakpoint
CREATE TABLE "proposals" (
	"id" text PRIMARY KEY NOT NULL,
	"platform_id" text NOT NULL,
	"requester_id" text NOT NULL,
	"other_id" text NOT NULL,
	"requester_email" text NOT NULL,
	"other_email" text NOT NULL,
	"status" text NOT NULL,
	"duration_minutes" integer NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"location" text NOT NULL,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"expires_at" timestamptz(3) NOT NULL,
	"reason" text,
	"owner" text,
	"meeting_id" text,
	"created_at" timestamptz(3) NOT NULL,
	"ended_at" timestamptz(3),
	CONSTRAINT "proposals_status" CHECK ("proposals"."status" in ('open', 'accepted', 'declined', 'expired', 'withdrawn')),
	CONSTRAINT "proposals_end" CHECK (("proposals"."status" = 'open') = ("proposals"."ended_at" is null)),
	CONSTRAINT "proposals_meeting" CHECK ("proposals"."status" = 'open' or ("proposals"."status" = 'accepted') = ("proposals"."meeting_id" is not null))
);
--> statement-breakpoint
ALTER TABLE "holds" DROP CONSTRAINT "holds_pkey";--> statement-breakpoint
ALTER TABLE "holds" ALTER COLUMN "meeting_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "holds" ADD COLUMN "proposal_id" text;--> statement-breakpoint
ALTER TABLE "proposal_times" ADD CONSTRAINT "proposal_times_proposal_id_proposals_id_fk" FOREIGN KEY ("proposal_id") REFERENCES "public"."proposals"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_requester_id_users_id_fk" FOREIGN KEY ("requester_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_other_id_users_id_fk" FOREIGN KEY ("other_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "proposal_times_position" ON "proposal_times" USING btree ("proposal_id","position");--> statement-breakpoint
CREATE UNIQUE INDEX "proposal_times_one_accepted" ON "proposal_times" USING btree ("proposal_id") WHERE "proposal_times"."status" = 'accepted';--> statement-breakpoint
CREATE UNIQUE INDEX "proposals_one_per_meeting" ON "proposals" USING btree ("meeting_id") WHERE "proposals"."meeting_id" is not null;--> statement-breakpoint
CREATE INDEX "proposals_made" ON "proposals" USING btree ("platform_id","created_at","id");--> statement-breakpoint
CREATE INDEX "proposals_due" ON "proposals" USING btree ("platform_id","expires_at") WHERE "proposals"."status" = 'open';--> statement-breakpoint
CREATE INDEX "proposals_ended" ON "proposals" USING btree ("platform_id","ended_at") WHERE "proposals"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "proposals_requester" ON "proposals" USING btree ("requester_id");--> statement-breakpoint
CREATE INDEX "proposals_other" ON "proposals" USING btree ("other_id");--> statement-breakpoint
ALTER TABLE "holds" ADD CONSTRAINT "holds_proposal_id_proposals_id_fk" FOREIGN KEY ("proposal_id") REFERENCES "public"."proposals"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "holds_proposal" ON "holds" USING btree ("proposal_id") WHERE "holds"."proposal_id" is not null;--> statement-breakpoint
ALTER TABLE "holds" ADD CONSTRAINT "holds_own" UNIQUE NULLS NOT DISTINCT("meeting_id","proposal_id","user_id","during");--> statement-breakpoint
ALTER TABLE "holds" ADD CONSTRAINT "holds_reason" CHECK ("holds"."meeting_id" is not null or "holds"."proposal_id" is not null);