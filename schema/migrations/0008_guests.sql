ALTER TABLE "meeting_people" ADD COLUMN "is_guest" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "meeting_people" ADD COLUMN "guest_time_zone" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "guest_of" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "guest_email" text;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_guest_of_platforms_id_fk" FOREIGN KEY ("guest_of") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "users_guest" ON "users" USING btree ("guest_of","guest_email") WHERE "users"."guest_of" is not null;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_guest_email" CHECK (("users"."guest_of" is null) = ("users"."guest_email" is null));