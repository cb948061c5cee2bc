ALTER TABLE "proposals" ADD COLUMN "moves_from" "tstzrange";--> statement-breakpoint
ALTER TABLE "proposals" ADD COLUMN "is_for_decline" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "proposals" ADD COLUMN "reading" jsonb;--> statement-breakpoint
CREATE UNIQUE INDEX "proposals_one_open_move" ON "proposals" USING btree ("moves_meeting_id") WHERE "proposals"."status" = 'open';