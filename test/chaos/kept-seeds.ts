/** Seeds that found something, with what it was; every run of many plays them first. */
export const KEPT_SEEDS: Record<number, string> = {
  7: 'A grant ends while a booking is not settled: after a day it is called off, never told as made. The check took the publishable key in the link to consent again for a secret.',
  48: 'A person whom an earlier history left without a consent is given up a week later, in the middle of this one: its platform is told, and the trace took that for this history’s.',
};
