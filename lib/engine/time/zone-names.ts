/** The words in IANA zone names that do not begin with a capital letter, or that have further capitals. */
const ODD_WORDS =
  'of es au US UTC UCT GMT GMT0 GB NZ CHAT ROC ROK PRC SU CET WET EET MET MST HST EST EST5EDT CST6CDT MST7MDT PST8PDT IN LHI NSW ACT BajaNorte BajaSur DeNoronha EasterIsland ComodRivadavia McMurdo DumontDUrville';
const ODD = new Map(ODD_WORDS.split(' ').map((word) => [word.toLowerCase(), word]));

/**
 * Returns a zone name, given in any case, in its IANA spelling. Intl cannot do this, because it returns Asia/Calcutta
 * for Asia/Kolkata.
 */
export const spellZone = (timeZone: string): string =>
  timeZone
    .toLowerCase()
    .replaceAll(/[a-z][a-z\d]*/g, (word) => ODD.get(word) ?? word.charAt(0).toUpperCase() + word.slice(1));
