/** The words of zone names that are not written with one capital at their beginning. */
const ODD_WORDS =
  'of es au US UTC UCT GMT GMT0 GB NZ CHAT ROC ROK PRC SU CET WET EET MET MST HST EST EST5EDT CST6CDT MST7MDT PST8PDT IN LHI NSW ACT BajaNorte BajaSur DeNoronha EasterIsland ComodRivadavia McMurdo DumontDUrville';
const ODD = new Map(ODD_WORDS.split(' ').map((word) => [word.toLowerCase(), word]));

/** The IANA spelling of a zone's name given in any case. Intl has none to give: it answers Asia/Calcutta for Asia/Kolkata. */
export const spellZone = (timeZone: string): string =>
  timeZone
    .toLowerCase()
    .replaceAll(/[a-z][a-z\d]*/g, (word) => ODD.get(word) ?? word.charAt(0).toUpperCase() + word.slice(1));
