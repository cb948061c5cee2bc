ALTER TABLE "proposals" ADD COLUMN "expires_in_hours" integer DEFAULT 48 NOT NULL;--> statement-breakpoint
ALTER TABLE "proposals" ADD COLUMN "counters" integer DEFAULT 0 NOT NULL;