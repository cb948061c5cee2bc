import { Email } from '../../../schema/api/fields.ts';

/** At gmail.com, also googlemail.com, dots and everything from a plus sign on make no difference. */
export const isSameMailbox = (one: string, other: string): boolean => mailboxOf(one) === mailboxOf(other);

function mailboxOf(address: string): string {
  const email = Email.safeParse(address).data ?? address.toLowerCase();
  const [, local, isGoogle] = /^(.*)@(?:(gmail|googlemail)\.com|.*)$/.exec(email) ?? [];
  if (local === undefined || isGoogle === undefined) return email;
  return `${local.replace(/\+.*/, '').replaceAll('.', '')}@gmail.com`;
}
