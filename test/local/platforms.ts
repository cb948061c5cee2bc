/** A platform with its keys, as `.local/stack.json` and `POST /platforms` show it. */
export interface PlatformKeys {
  id: string;
  secret_key: string;
  publishable_key: string;
  webhook_secret: string | null;
}
