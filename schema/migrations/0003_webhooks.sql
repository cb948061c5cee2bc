CREATE TABLE "delivery_days" (
	"platform_id" text NOT NULL,
	"day" date NOT NULL,
	"success" integer NOT NULL,
	"failed" integer NOT NULL,
	"answered" integer NOT NULL,
	"answered_ms" bigint NOT NULL,
	CONSTRAINT "delivery_days_pkey" PRIMARY KEY("platform_id","day")
);
--> statement-breakpoint
DROP INDEX "deliveries_due";--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "asked_at" timestamptz(3);--> statement-breakpoint
ALTER TABLE "delivery_days" ADD CONSTRAINT "delivery_days_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deliveries_due" ON "deliveries" USING btree ("platform_id","next_attempt_at") WHERE "deliveries"."status" = 'pending';