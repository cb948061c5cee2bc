/** Formats an instant as its date in UTC: "3 March 2027". */
export const dateOf = (instant: number) =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' }).format(instant);
