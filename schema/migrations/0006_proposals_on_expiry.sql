ALTER TABLE "proposals" ADD COLUMN "on_expiry" text DEFAULT 'cancel' NOT NULL;--> statement-breakpoint
ALTER TABLE "proposals" ADD COLUMN "due_at" timestamptz(3);--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_on_expiry" CHECK ("proposals"."on_expiry" in ('cancel', 'book_first'));