CREATE EXTENSION IF NOT EXISTS btree_gist;
--> statement-breakpoint
ALTER TABLE "holds" ADD CONSTRAINT "holds_no_overlap" EXCLUDE USING gist ("user_id" WITH =, "during" WITH &&) WHERE ("guarded");
--> statement-breakpoint
CREATE INDEX "holds_during" ON "holds" USING gist ("user_id", "during");
