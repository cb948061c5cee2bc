import { DAY, MINUTE } from '../../engine/time/dates.ts';
import { knownZone, offsetAt } from '../../engine/time/zone.ts';
import type { Calendar } from '../calendar.ts';
import type { Clock } from './clocks.ts';
import type { Word } from './lexicon.ts';

/** Names for a zone's time that may directly follow a clock time: "9am Eastern", "14:00 CET". */
const SHORT = `
  America/New_York=est|edt|et|us eastern|eastern|east coast; America/Chicago=cst|cdt|us central|central; America/Denver=mst|mdt|mountain; America/Los_Angeles=pst|pdt|pt|us pacific|pacific|west coast;
  UTC=gmt|utc|zulu; Europe/London=bst|uk|british|english; Europe/Dublin=irish; Europe/Berlin=cet|cest|german|central european; Europe/Paris=french; Europe/Athens=eet|eest|greek; Asia/Kolkata=ist|indian?|indian standard; Asia/Dubai=gst|uae; Asia/Singapore=sgt; Asia/Hong_Kong=hkt; Asia/Tokyo=jst|japan; Australia/Sydney=aest|aedt`;

const PLACES = `
  America/New_York=new york|nyc|boston|toronto|washington|atlanta|miami|philadelphia|montreal; America/Chicago=chicago|dallas|houston|austin|texas|minneapolis; America/Denver=denver; America/Los_Angeles=los angeles|la|san francisco|sf|seattle|california|vancouver|portland|palo alto; America/Sao_Paulo=sao paulo|rio;
  Europe/London=london|edinburgh|manchester|cardiff|belfast|glasgow|leeds; Europe/Dublin=dublin|cork|ireland; Europe/Lisbon=portuguese|portugal|lisbon|porto; Europe/Berlin=berlin|munich|hamburg|frankfurt|cologne|germany|stuttgart; Europe/Paris=paris|lyon|france; Europe/Madrid=spanish|madrid|barcelona|spain; Europe/Rome=italian|rome|milan|italy; Europe/Amsterdam=dutch|amsterdam|rotterdam; Europe/Zurich=swiss|zurich|geneva|basel; Europe/Vienna=austrian|vienna; Europe/Warsaw=polish|warsaw|krakow|poland; Europe/Stockholm=swedish|stockholm; Europe/Brussels=belgian|brussels|antwerp|belgium; Europe/Copenhagen=danish|copenhagen|denmark; Europe/Oslo=norwegian|oslo|norway; Europe/Prague=czech|prague; Europe/Budapest=hungarian|budapest; Europe/Helsinki=finnish|helsinki|finland; Europe/Bucharest=romanian|bucharest|romania; Europe/Athens=athens; Europe/Istanbul=turkish|turkey|istanbul;
  Africa/Lagos=lagos|abuja|nigeria; Africa/Nairobi=nairobi|kenya; Africa/Johannesburg=south african|johannesburg|joburg|cape town|durban;
  Asia/Jerusalem=israel|israeli|tel aviv; Asia/Dubai=dubai|abu dhabi; Asia/Karachi=karachi|lahore; Asia/Kolkata=india|mumbai|delhi|new delhi|bangalore|bengaluru|chennai|pune|hyderabad|kolkata|gurgaon|noida|ahmedabad|kochi|jaipur; Asia/Bangkok=bangkok|thailand; Asia/Manila=manila; Asia/Singapore=singapore; Asia/Hong_Kong=hong kong; Asia/Shanghai=shanghai|beijing|shenzhen; Asia/Tokyo=japanese|tokyo|osaka; Asia/Seoul=seoul;
  Australia/Sydney=sydney|melbourne|canberra; Australia/Brisbane=brisbane; Australia/Perth=perth; Pacific/Auckland=auckland|wellington|new zealand`;

const ZONES = new Map(
  `${SHORT};${PLACES}`.split(';').flatMap((entry) => {
    const [zone = '', names = ''] = entry.trim().split('=');
    return names.split('|').map((name) => [name, zone] as const);
  }),
);
const LONGEST_NAME = 3;

const ORDINARY =
  /^(?:same|any|some|that|this|first|last|next|the|all|each|every|lunch|tea|break|school|free|good|best|more|full|part|which|usual|original|new|another|other|different|of|for|in|and|or|at|on|to|by|from|no|a)$/;

export const zoneNamed = (name: string): string | undefined =>
  knownZone(name) ?? ZONES.get(name.toLowerCase().replace(/\bthe\s|\stime\b|^\s|\s$/g, ''));

export function placeAt(word: Word, at: number): { zone: string; next: number } | undefined {
  for (let length = /^\p{L}/u.test(word(at)) ? LONGEST_NAME : 0; length > 0; length--) {
    const zone = ZONES.get(Array.from({ length }, (_, i) => word(at + i)).join(' '));
    if (zone !== undefined) return { zone, next: at + length };
  }
  return undefined;
}

/** Returns the time on the asker's clocks. `unclear` is for an unknown place, or for the other person's clocks. */
export function zonedAt(word: Word, clock: Clock, calendar: Calendar): Clock | 'unclear' {
  const at = word(clock.next) === '(' ? clock.next + 1 : clock.next;
  const isOwn = /^(?:my|our|local)$/.test(word(at)) && word(at + 1) === 'time';
  const place = isOwn ? undefined : placeAt(word, at);
  let next = isOwn ? at + 2 : (place?.next ?? at);
  if (!isOwn && word(next) === 'time') next += 1;
  if (word(next) === ')' && at > clock.next) next += 1;
  else if (at > clock.next) return clock;
  if (isOwn) return { ...clock, next };
  if (place === undefined) {
    const isElsewhere = word(at + 1) === 'time' && /^[a-z]{3,}$/.test(word(at)) && !ORDINARY.test(word(at));
    return isElsewhere ? 'unclear' : clock;
  }
  const shift = shiftFrom(place.zone, calendar);
  if (shift === undefined) return 'unclear';
  const { from, to } = { from: clock.from + shift, to: clock.to + shift };
  return from < 0 || to > 24 * 60 ? 'unclear' : { ...clock, from, to, next, isBare: false };
}

/** Returns the minutes by which the asker's clocks are ahead of those of a zone, or undefined if nobody knows theirs. */
export function shiftFrom(zone: string, { timeZone, oldDay, zonesAt = (oldDay + 0.5) * DAY }: Calendar) {
  if (timeZone === undefined) return undefined;
  return Math.round((offsetAt(timeZone, zonesAt) - offsetAt(zone, zonesAt)) / MINUTE);
}
