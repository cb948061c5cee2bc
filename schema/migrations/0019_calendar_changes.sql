ALTER TABLE "meetings" DROP CONSTRAINT "meetings_times";--> statement-breakpoint
ALTER TABLE "event_answers" ADD COLUMN "removed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "meetings_organizer" ON "meetings" USING btree ("organizer_id","ends_at");--> statement-breakpoint
ALTER TABLE "busy_snapshots" DROP COLUMN "is_second_look";--> statement-breakpoint
ALTER TABLE "meetings" ADD CONSTRAINT "meetings_times" CHECK ("meetings"."starts_at" <= "meetings"."ends_at");