ALTER TABLE "proposals" DROP CONSTRAINT "proposals_status";--> statement-breakpoint
ALTER TABLE "proposals" ADD COLUMN "moves_meeting_id" text;--> statement-breakpoint
ALTER TABLE "proposals" ADD COLUMN "counter_of" text;--> statement-breakpoint
ALTER TABLE "proposals" ADD COLUMN "token_hash" text;--> statement-breakpoint
ALTER TABLE "proposals" ADD COLUMN "token" text;--> statement-breakpoint
ALTER TABLE "proposals" ADD COLUMN "guest_name" text;--> statement-breakpoint
ALTER TABLE "proposals" ADD COLUMN "guest_time_zone" text;--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_moves_meeting_id_meetings_id_fk" FOREIGN KEY ("moves_meeting_id") REFERENCES "public"."meetings"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_counter_of_proposals_id_fk" FOREIGN KEY ("counter_of") REFERENCES "public"."proposals"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "proposals_token" ON "proposals" USING btree ("token_hash") WHERE "proposals"."token_hash" is not null;--> statement-breakpoint
CREATE INDEX "proposals_moves" ON "proposals" USING btree ("moves_meeting_id") WHERE "proposals"."moves_meeting_id" is not null;--> statement-breakpoint
CREATE INDEX "proposals_counter" ON "proposals" USING btree ("counter_of") WHERE "proposals"."counter_of" is not null;--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_status" CHECK ("proposals"."status" in ('open', 'accepted', 'declined', 'countered', 'expired', 'withdrawn'));