ALTER TABLE "delivery_attempts" ADD COLUMN "sent_at" timestamptz(3);--> statement-breakpoint
ALTER TABLE "delivery_attempts" ADD COLUMN "answer" text;