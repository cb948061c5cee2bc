import type { Env } from './env.ts';

/** Company that operates this service and the company's contact address, as the legal pages show them. */
export interface Operator {
  company: string;
  contact: string;
}

/** Undefined if the company or the contact address is not set. */
export function operatorOf({ COMPANY_NAME, CONTACT_EMAIL }: Env): Operator | undefined {
  if (COMPANY_NAME === undefined || CONTACT_EMAIL === undefined) return undefined;
  return { company: COMPANY_NAME, contact: CONTACT_EMAIL };
}
