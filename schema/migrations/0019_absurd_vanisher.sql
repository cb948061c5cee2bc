ALTER TABLE "holds" ADD COLUMN "outside_hours" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "proposals" ADD COLUMN "untold" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "proposals_untold" ON "proposals" USING btree ("platform_id","ended_at") WHERE "proposals"."untold";