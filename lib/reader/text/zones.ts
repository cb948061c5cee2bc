import { DAY, MINUTE } from '../../engine/time/dates.ts';
import { offsetSpans, spanAt } from '../../engine/time/zone.ts';
import type { Calendar } from './calendar.ts';
import type { Mention } from './mentions.ts';

/** Names for a zone's time that may directly follow a clock time, with the zone: "9am Eastern", "14:00 CET". */
const SHORT: Record<string, string> = {
  'America/New_York': 'est|edt|et|us eastern|eastern|east coast',
  'America/Chicago': 'cst|cdt|us central|central',
  'America/Denver': 'mst|mdt|mountain',
  'America/Los_Angeles': 'pst|pdt|pt|us pacific|pacific|west coast',
  UTC: 'gmt|utc|zulu',
  'Europe/London': 'bst|uk|british|english',
  'Europe/Dublin': 'irish',
  'Europe/Berlin': 'cet|cest|german|central european',
  'Europe/Paris': 'french',
  'Europe/Athens': 'eet|eest|greek',
  'Asia/Kolkata': 'ist|indian?|indian standard',
  'Asia/Dubai': 'gst|uae',
  'Asia/Singapore': 'sgt',
  'Asia/Hong_Kong': 'hkt',
  'Asia/Tokyo': 'jst|japan',
  'Australia/Sydney': 'aest|aedt',
};

/** Names of places, which name a zone only with "time" after them or where somebody says that they are there. */
const PLACES: Record<string, string> = {
  'America/New_York': 'new york|nyc|boston|toronto|washington|atlanta|miami|philadelphia|montreal',
  'America/Chicago': 'chicago|dallas|houston|austin|texas|minneapolis',
  'America/Denver': 'denver',
  'America/Los_Angeles': 'los angeles|la|san francisco|sf|seattle|california|vancouver|portland|palo alto',
  'America/Sao_Paulo': 'sao paulo|rio',
  'Europe/London': 'london|edinburgh|manchester|cardiff|belfast|glasgow|leeds',
  'Europe/Dublin': 'dublin|cork|ireland',
  'Europe/Lisbon': 'portuguese|portugal|lisbon|porto',
  'Europe/Berlin': 'berlin|munich|hamburg|frankfurt|cologne|germany|stuttgart',
  'Europe/Paris': 'paris|lyon|france',
  'Europe/Madrid': 'spanish|madrid|barcelona|spain',
  'Europe/Rome': 'italian|rome|milan|italy',
  'Europe/Amsterdam': 'dutch|amsterdam|rotterdam',
  'Europe/Zurich': 'swiss|zurich|geneva|basel',
  'Europe/Vienna': 'austrian|vienna',
  'Europe/Warsaw': 'polish|warsaw|krakow|poland',
  'Europe/Stockholm': 'swedish|stockholm',
  'Europe/Brussels': 'belgian|brussels|antwerp|belgium',
  'Europe/Copenhagen': 'danish|copenhagen|denmark',
  'Europe/Oslo': 'norwegian|oslo|norway',
  'Europe/Prague': 'czech|prague',
  'Europe/Budapest': 'hungarian|budapest',
  'Europe/Helsinki': 'finnish|helsinki|finland',
  'Europe/Bucharest': 'romanian|bucharest|romania',
  'Europe/Athens': 'athens',
  'Europe/Istanbul': 'turkish|turkey|istanbul',
  'Africa/Lagos': 'lagos|abuja|nigeria',
  'Africa/Nairobi': 'nairobi|kenya',
  'Africa/Johannesburg': 'south african|johannesburg|joburg|cape town|durban',
  'Asia/Jerusalem': 'israel|israeli|tel aviv',
  'Asia/Dubai': 'dubai|abu dhabi',
  'Asia/Karachi': 'karachi|lahore',
  'Asia/Kolkata':
    'india|mumbai|delhi|new delhi|bangalore|bengaluru|chennai|pune|hyderabad|kolkata|gurgaon|noida|ahmedabad|kochi|jaipur',
  'Asia/Bangkok': 'bangkok|thailand',
  'Asia/Manila': 'manila',
  'Asia/Singapore': 'singapore',
  'Asia/Hong_Kong': 'hong kong',
  'Asia/Shanghai': 'shanghai|beijing|shenzhen',
  'Asia/Tokyo': 'japanese|tokyo|osaka',
  'Asia/Seoul': 'seoul',
  'Australia/Sydney': 'sydney|melbourne|canberra',
  'Australia/Brisbane': 'brisbane',
  'Australia/Perth': 'perth',
  'Pacific/Auckland': 'auckland|wellington|new zealand',
};

const zonesIn = (names: Record<string, string>) =>
  Object.entries(names).flatMap(([zone, alternatives]) => alternatives.split('|').map((name) => [name, zone] as const));
const ZONES = new Map([...zonesIn(SHORT), ...zonesIn(PLACES)]);
const anyOf = (names: Record<string, string>) => Object.values(names).join('|');

/** Words before "time" that name no place: "at 3, same time next week". */
const ORDINARY =
  '(?:same|any|some|that|this|first|last|next|your|the|our|one|all|each|every|lunch|tea|dinner|break|school|bed|free|good|best|more|full|part|start|end|short|long|own|local|what|which|usual|original|old|new|another|other|different|prime|play|day|night|half|focus|family|quiet|nap|home|running|being|prep|story|meal|for|and|but|about|over|extra|down|over|record|spare|real|drive|travel|due|right|off|out|every|course|question)';
const AFTER_CLOCK = new RegExp(
  ` (?:(${anyOf(SHORT)})(?: time)?|(${anyOf(PLACES)})(?: time|(?= (?:[.,;!?)]|works?|suits?|is|please|on|if|would|mon|tue|wed|thu|fri|tomorrow)|$))|(my(?: local)? time \\( (?:in )?([a-z ]{2,20}?) (?:time )?\\))|(my(?: local)? time|for me|local time|my (?:end|side)|mine)|\\( (?:(${anyOf(SHORT)})|(${anyOf(PLACES)}))(?: time)? \\)|((?:\\( )?(?!${ORDINARY} )[a-z]{3,} time(?: \\))?))(?= |$)`,
  'y',
);
const ANY_ZONE = new RegExp(`(?<=\\d|am|pm|noon|later)${AFTER_CLOCK.source}`);
const HOME = new RegExp(
  `(?:^|[.,;!?(] |\\b(?:here in|(?:i|we) (?:am|are|will be)(?: [a-z]+)? in|based in|working from|over in|out in|as) )(?:the )?(${anyOf(PLACES)})(?= (?:[.,;!?)]|here|this week|all week|for (?:me|the)|until|at the moment|now|right now|and|so)|$)`,
);

/**
 * Returns true if the text counts a time on other clocks than the asker's: "9am Eastern". That somebody is in New York
 * then says which clocks they mean, and not that they are away.
 */
export const isZoned = (text: string): boolean => ANY_ZONE.test(text);

/** Returns the zone in which the person says they are: "I'm in New York this week", "I'm on Lisbon time". */
export function homeIn(text: string): string | undefined {
  const [, place, short] = ON_TIME.exec(text) ?? [];
  return ZONES.get(place ?? short ?? HOME.exec(text)?.[1] ?? '');
}

const ON_TIME = new RegExp(
  `\\b(?:i|we) (?:am|are|work|live|run|keep|keeps) (?:[a-z]+ )?(?:on|to|in) (?:(${anyOf(PLACES)})|(${anyOf(SHORT)}))(?: (?:time|hours)|(?= [.,;!?)]| so| and))(?= |$)`,
);

/** Returns true for the name of a place that the zones know. */
export const isTown = (name: string): boolean => TOWNS.has(name);

const TOWNS = new Set(zonesIn(PLACES).map(([name]) => name));

const SAYS = /\bis (?:(?:like|about|at|only) )?\S+(?: [ap]m)?$/;

/**
 * Greatest difference in minutes between two zones in which a limit that always holds means the same working day: "never
 * after 6pm Sydney time" rules out a morning in London, and not its evening.
 */
const FARTHEST = 8 * 60;

/**
 * Reads the zone after a clock time, as in "9am Eastern", and returns its length in the text and the time on the
 * asker's own clocks. The mention is unclear if the zone is unknown or if the time falls on another day there.
 */
export function zonedAt(
  text: string,
  at: number,
  mention: Mention,
  { timeZone, home, oldDay, zonesAt: always }: Calendar,
): { length: number; mention: Mention } | undefined {
  if (mention.kind !== 'clock') return undefined;
  AFTER_CLOCK.lastIndex = at;
  const match = AFTER_CLOCK.exec(text);
  if (match === null) return undefined;
  const [whole, after, near, ofCity, city = '', own, short = after, place = near] = match;
  const asked = timeZone ?? home;
  // "My time" is the time on the asker's clocks, unless they say that they are elsewhere.
  // "This is 4am for me" complains of the hour.
  if (own !== undefined && (home === undefined || SAYS.test(text.slice(Math.max(0, at - 20), at)))) return undefined;
  const zone = ofCity !== undefined ? ZONES.get(city) : own !== undefined ? home : ZONES.get(short ?? place ?? '');
  const unclear = { length: whole.length, mention: { kind: 'unclear' as const } };
  if (zone === undefined || asked === undefined) return unclear;
  const zonesAt = always ?? (oldDay + 0.5) * DAY;
  const offsetOf = (name: string) => spanAt(offsetSpans(name, zonesAt, zonesAt), zonesAt).offset;
  const shift = Math.round((offsetOf(asked) - offsetOf(zone)) / MINUTE);
  if (always !== undefined && Math.abs(shift) > FARTHEST) return unclear;
  const [from, to] = [mention.from, mention.to].map((minute) =>
    minute % 1440 === 0 && !mention.isPoint ? minute : minute + shift,
  );
  if (from === undefined || to === undefined || from < 0 || to > 24 * 60) return unclear;
  return { length: whole.length, mention: { ...mention, from, to } };
}
