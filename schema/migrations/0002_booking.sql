ALTER TABLE "settlements" DROP CONSTRAINT "settlements_kind";--> statement-breakpoint
ALTER TABLE "usage" DROP CONSTRAINT "usage_within_quota";--> statement-breakpoint
ALTER TABLE "holds" ADD COLUMN "event_id" text;--> statement-breakpoint
UPDATE "holds" SET "event_id" = m."provider_event_id" FROM "meetings" m WHERE m."id" = "holds"."meeting_id";--> statement-breakpoint
ALTER TABLE "holds" ALTER COLUMN "event_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "holds" DROP CONSTRAINT "holds_no_overlap";--> statement-breakpoint
ALTER TABLE "holds" ADD CONSTRAINT "holds_no_overlap" EXCLUDE USING gist ("user_id" WITH =, "during" WITH &&, "event_id" WITH <>) WHERE ("guarded");--> statement-breakpoint
ALTER TABLE "usage" ADD COLUMN "settled" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE "usage" SET "settled" = "used";--> statement-breakpoint
ALTER TABLE "usage_notices" ADD COLUMN "event_id" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "usage_notices" ALTER COLUMN "event_id" DROP DEFAULT;--> statement-breakpoint
CREATE UNIQUE INDEX "learning_ledger_once_per_meeting" ON "learning_ledger" USING btree ("user_id","meeting_id","weight") WHERE "learning_ledger"."meeting_id" is not null;--> statement-breakpoint
ALTER TABLE "holds" DROP CONSTRAINT "holds_pkey";
--> statement-breakpoint
ALTER TABLE "holds" ADD CONSTRAINT "holds_pkey" PRIMARY KEY("meeting_id","user_id","during");--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_kind" CHECK ("settlements"."kind" in ('book', 'link', 'move', 'cancel', 'recheck'));--> statement-breakpoint
ALTER TABLE "usage" ADD CONSTRAINT "usage_within_quota" CHECK ("usage"."settled" between 0 and "usage"."used" and ("usage"."quota" is null or "usage"."used" <= "usage"."quota"));