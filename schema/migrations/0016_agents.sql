CREATE TABLE "agent_codes" (
	"hash" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"client_id" text NOT NULL,
	"agent_name" text NOT NULL,
	"redirect_uri" text NOT NULL,
	"code_challenge" text NOT NULL,
	"created_at" timestamptz(3) NOT NULL,
	"expires_at" timestamptz(3) NOT NULL,
	"used_at" timestamptz(3),
	"key_hash" text,
	CONSTRAINT "agent_codes_used" CHECK (("agent_codes"."used_at" is null) = ("agent_codes"."key_hash" is null))
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "agent_host" text;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "agent_name" text;--> statement-breakpoint
ALTER TABLE "agent_codes" ADD CONSTRAINT "agent_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agent_codes_user" ON "agent_codes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "agent_codes_expires" ON "agent_codes" USING btree ("expires_at");--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_agent" CHECK (("api_keys"."agent_host" is null) = ("api_keys"."agent_name" is null));--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_agent_expires" CHECK ("api_keys"."agent_host" is null or ("api_keys"."kind" = 'user' and "api_keys"."revoked_at" is not null));