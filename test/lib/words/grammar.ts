import { KIND } from '../../../lib/words/clauses.ts';
import { PATTERNS } from '../../../lib/words/patterns.ts';

type Key = keyof typeof PATTERNS;
const KEYS = Object.keys(PATTERNS) as Key[];

const either = (...sources: string[]) => `(?:${sources.join('|')})`;
/** Returns items joined by any of the joints. Each stands in the source once, as the sources of nested lists grow fast. */
const joined = (one: string, joints: string) => `(?:(?:${joints}|(?<=^|[ :“(]))${one})+`;
const listOf = (one: string) => joined(one, ', | and | or ');
const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

const WEEKDAY = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day';
const DATE = String.raw`\d{1,2} [A-Z][a-z]+`;
const DAY = `${WEEKDAY}(?:, ${DATE})?`;
const CLOCK = String.raw`\d{1,2}:\d\d`;
const NAME = String.raw`(?:[\w.+-]+@[\w.-]+\w|[A-Z][\w-]*(?: [A-Z][\w-]*)?)`;
const WHO = either('both', `${NAME} and ${NAME}`, NAME);
const PART = either(
  ...['early morning', 'morning', 'mid-morning', 'late morning', 'early afternoon', 'afternoon', 'mid-afternoon'],
  ...['late afternoon', 'evening', 'night'],
);
const UNIT = '(?:minutes?|hours?|days?|weeks?)';
const LENGTH = either(
  String.raw`(?:[Hh]alf an?|[Aa]n?|\d+½?) ${UNIT}(?: and a half)?(?: \d+ minutes)?(?:'s|')?`,
  'half hour',
  'hour',
);
const DIRECTION = '(?:[Ee]arlier|[Ll]ater|[Ss]ooner)';
const TIMES = listOf(`(?:${WEEKDAY}|[Mm]orning|[Aa]fternoon|[Ee]vening)s`);
const HOLIDAY_NAME = String.raw`[A-ZÀ-Þ][\wÀ-ÿ'.-]*(?: (?:of|the|and|d[aeo]s?|[A-ZÀ-Þ][\wÀ-ÿ'.-]*))*(?: \(observed\))?`;
const HOLIDAY = String.raw`(?:probably )?(?:a (?:national|public|bank|state|civic) holiday(?: \(observed\))?|(?:the )?${HOLIDAY_NAME})`;
const COUNT = String.raw`\d+`;
const EVE = "(?:Christmas|New Year's) Eve";
const OFFSETS = String.raw`[+-]\d\d:\d\d(?:, then [+-]\d\d:\d\d)?`;
/** A setting as JSON. */
const VALUE = String.raw`(?:none|[\w.-]+|"[^"]*"|[[{].*?[\]}])`;
const ISO_DATE = String.raw`\d{4}-\d\d-\d\d`;
const ISO_INSTANT = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`;

/** Blanks that people's words, names or values fill, as regular expressions. */
const VALUES: Record<string, string> = {
  clock: CLOCK,
  day: DAY,
  who: WHO,
  other: NAME,
  part: PART,
  otherPart: PART,
  half: '(?:morning|afternoon)',
  length: LENGTH,
  otherLength: LENGTH,
  direction: DIRECTION,
  city: String.raw`[A-Z][\w/+ -]*`,
  zone: String.raw`(?:UTC(?:[+-]\d+)?|[A-Z]{3,4}|[A-Z]\w*\d\w*)`,
  offset: String.raw`[+-]\d\d:\d\d`,
  holiday: HOLIDAY,
  names: `${HOLIDAY_NAME}(?:(?:, | and )${HOLIDAY_NAME})*`,
  kind: either(...Object.values(KIND)),
  date: DATE,
  month: '[A-Z][a-z]+',
  weeks: COUNT,
  minutes: COUNT,
  rank: COUNT,
  candidates: COUNT,
  most: COUNT,
  percent: COUNT,
  meetings: either(COUNT, 'one meeting', String.raw`\d+ meetings`),
  side: '(?:before|after)',
  before: String.raw`\d+(?:\.\d+)?`,
  after: String.raw`\d+(?:\.\d+)?`,
  moved: '(?:lowered|raised)',
  much: '(?:little|much)',
  verdict: '(?:[Nn]ever|[Rr]ather not|[Pp]referably)',
  do: '(?:do|does)',
  leave: 'leaves?',
  has: '(?:has|have)',
  is: '(?:is|are)',
  keeps: '(?:keep|keeps)',
  needs: '(?:need|needs)',
  words: '[^”"]+',
  quotes: '.+',
  quote: '[^”]+',
  email: String.raw`[\w.+-]+@[\w.-]+\w`,
  title: '[^"]+',
  meeting: String.raw`\w+`,
  job: String.raw`\w+`,
  proposal: String.raw`\w+`,
  until: String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`,
  url: String.raw`https?://\S+`,
  code: '[A-Z_]+',
  seconds: COUNT,
  hour: '(?:a later|an earlier) hour',
  start: CLOCK,
  end: CLOCK,
};

const groups = (...names: string[]): Key[] => KEYS.filter((key) => names.some((name) => key.startsWith(`${name}.`)));
const groupBut = (group: string, ...names: string[]) =>
  groups(group).filter((key) => !names.includes(key.slice(group.length + 1)));
const GAINS_AND_COSTS: Key[] = [...groups('gain', 'cost', 'beside'), 'for', 'holiday.probably'];
const WHY_OF_SLOT = () => listed(GAINS_AND_COSTS);
const WHEN: Key[] = [...groups('when'), 'read.soonest'];
const WHENS = () => either(WHEN_IN_LIST(), sourceOf('when.not'));
/** Says one item of a list of such phrases. Stands for the patterns made of plain ones, whose sources are far longer. */
const WHEN_IN_LIST = () => `(?:[Nn]ot )?${plainWhen()}(?: ${plainWhen()}){0,2}`;

const SEARCHED_DATES = () => phrase(['where.rest', 'when.on', 'when.between']);
const QUOTES = '“[^”]+”(?:, “[^”]+”)*';

/** Blanks that other patterns fill, for one pattern, its group or, under `*`, all. A function is called when it is needed. */
const FILLS: Record<string, Record<string, () => string>> = {
  '*': {
    time: () => either(sourceOf('pair', TIME_ON_BOTH), phrase(['time.one_clock'])),
    times: () => TIMES,
    sentence: () => phrase(['pick.new', 'pick.moved', 'pick.because']).replaceAll(String.raw`\.`, ''),
    where: () => phrase([...groups('where', 'asked'), 'when.on', 'when.between']),
    edge: () => either(phrase(['when.clock_on']), CLOCK_IN_PLACE(), DAY, CLOCK, "New Year's Day"),
    first: () => either(DAY, CLOCK),
    last: () => either(DAY, CLOCK),
    days: () => listOf(either(DAY, `${WEEKDAY}s`)),
    because: () => `(?:${sourceOf('because')})?`,
    causes: () => listOf(phrase(groups('because'))),
    rules: () => listOf(phrase(groups('rule'))),
    shift: () => either(phrase(['when.shift']), DIRECTION),
    wanted: WHENS,
    met: () => listOf(WHEN_IN_LIST()),
    parts: () => listOf(either(WHEN_IN_LIST(), phrase(['why.soonest', 'why.break']))),
    rule: () => phrase(['rule.own']),
    change: () => phrase(groupBut('open', 'first', 'best', 'only', 'more_days', 'date')),
    clause: () => phrase(['bent.cost', 'bent.cost_of_new', ...SENTENCES_OF_BENT]),
    limit: () => phrase([...groups('limit'), 'where.range']),
    season: () => either(EVE, phrase(DATES)),
    what: () => either(EVE, phrase(GAINS_AND_COSTS)),
    whose: () => listOf(`${NAME}'s`),
    detail: () => phrase(groupBut('against', 'of')),
    when: () => `(?:${sourceOf('agent.time')}; )*${sourceOf('agent.utc')}`,
    weights: () => listOf(phrase(['learned.weight'])),
    name: () => either(TIMES, phrase(['learned.breaks'])),
    meaning: () => either(listOf(WHEN_IN_LIST()), phrase(READ_MEANINGS), PAIRS_OF_WHEN()),
  },
  'limit.between': { from: () => DATE, to: () => DATE },
  'cost.*': { holiday: () => either(phrase(['holiday.unnamed']), HOLIDAY) },
  'time.one_clock': { clock: () => either(CLOCK_IN_PLACE(), CLOCK) },
  'time.*': {
    from: () => either(phrase(['time.clock_offset']), CLOCK),
    to: () => phrase(['time.clock_in', 'time.clock_utc']),
  },
  'time.clock_in': { clock: () => either(phrase(['time.clock_offset', 'time.other_day']), CLOCK) },
  'time.clock_utc': { clock: () => either(phrase(['time.clock_offset']), CLOCK) },
  'time.other_day': { clock: () => either(phrase(['time.clock_utc']), CLOCK), weekday: () => WEEKDAY },
  'slot.why': { why: WHY_OF_SLOT },
  'beside.*': { what: THING },
  but: { first: WHY_OF_SLOT, second: WHY_OF_SLOT },
  'slot.note': {
    sentence: () => phrase(['slot.why', 'offer.time']).replaceAll(String.raw`\.`, ''),
    note: () => phrase(['not.holiday', 'note.clocks']),
  },
  'note.clocks': {
    hours: () => String.raw`\d*½? hours?`,
    side: () => '(?:behind|ahead of)',
    otherCity: () => String.raw`[A-Z][\w/+ -]*`,
    usual: () => String.raw`\d*½?`,
  },
  'holiday.probably': { what: () => phrase(['cost.bridge', 'cost.bridge_of']) },
  'open.holiday': { day: () => `(?:probably )?${DAY}` },
  'not.holiday': { holiday: () => either(phrase(['holiday.unnamed']), HOLIDAY) },
  'gain.same_time_day': { days: () => FAR },
  'pick.cannot': { days: () => either(listOf(DAY), phrase(['when.old_time'])) },
  for: { what: () => phrase(FOR_SOMEBODY) },
  'pick.because': { reason: () => phrase(SENTENCES_OF_BENT.filter((key) => key !== 'bent.notice')) },
  'pick.but': {
    sentence: () => phrase(['pick.why', 'pick.preview']).replaceAll(String.raw`\.`, ''),
    drawback: () => either(EVE, phrase(DATES)),
  },
  'pick.*': { why: () => either(CLAUSES_OF_WHY(), phrase(['why.asked', 'why.prefers'])) },
  avoided: { words: () => clauses(phrase(CLAUSES_OF_AVOIDED)) },
  'avoided.rules': { rules: () => listOf(phrase(['rule.asked'])) },
  'rule.own': { words: () => 'never [^()“”]+' },
  'rule.asked': { words: () => '(?:never|only) [^()“”]+' },
  turn: { side: () => phrase(['cost.early', 'cost.late']) },
  'place.not_for_one': { why: () => clauses(phrase(groups('not'))) },
  'place.suits_neither': { why: () => clauses(phrase(groups('not'))) },
  'place.*': {
    place: () => phrase(['place.only', 'place.best', 'place.free']).replaceAll(String.raw`\.`, ''),
    why: WHY_OF_SLOT,
  },
  'none.*': { holiday: () => either(phrase(['holiday.unnamed']), HOLIDAY) },
  'avoided.kept': { times: () => phrase(['avoided.focus', 'avoided.focus_of_both']) },
  'bent.cost_of_new': { words: () => COSTS_OF_PICK() },
  'bent.cost': { words: () => COSTS_OF_PICK() },
  'because.standing_rule': { rules: () => 'rules?' },
  'bent.*': { words: () => listOf(WHEN_IN_LIST()) },
  'asked.when': { dates: SEARCHED_DATES, words: () => QUOTES },
  'asked.unquoted': { dates: SEARCHED_DATES },
  'asked.ranges': { dates: () => either(SEARCHED_DATES(), phrase(['asked.when', 'asked.unquoted'])) },
  'against.when': { words: () => QUOTES },
  'open.when': { words: () => QUOTES },
  'when.not': { words: () => listOf(either(plainWhen(), phrase(['when.days_and_hours']))) },
  'when.days_and_hours': { days: () => `${plainWhen()}(?: ${plainWhen()})?`, hours: plainWhen },
  'open.first': { time: TIME_AND_DATE },
  'open.best': { time: TIME_AND_DATE },
  'open.only': { time: TIME_AND_DATE },
  'open.more_days': { time: TIME_AND_DATE },
  'open.lunch': { time: PLAIN_TIME_AND_DATE },
  'open.date': { season: () => either(EVE, phrase(DATES)) },
  'none.nearest_start': { clock: CLOCK_IN_PLACE, ownClock: CLOCK_IN_PLACE },
  'none.nearest_end': { clock: CLOCK_IN_PLACE, ownClock: CLOCK_IN_PLACE },
  'when.no_earlier': { clock: () => either(CLOCK_IN_PLACE(), CLOCK) },
  'when.over_by': { clock: () => either(CLOCK_IN_PLACE(), CLOCK) },
  'when.day_half': { days: () => phrase(['when.on']) },
  'against.day_limit': { meetings: () => COUNT },
  'against.*': { time: () => sourceOf('time.span') },
  'warning.*': { time: () => phrase(['time.span', 'time.clocks']) },
  'read.only': { times: () => phrase(['when.on', 'when.weekdays', 'when.weekends']) },
  'read.rule': { times: () => either(phrase(['when.days_and_hours']), WHENS()) },
  'read.rule_for': {
    rule: () => phrase(['read.rule', 'read.only', 'read.pause', 'read.pause_of']),
    kinds: () => listOf(either(...Object.values(KIND))),
  },
  'agent.time': {
    weekday: () => WEEKDAY,
    date: () => ISO_DATE,
    zone: () => '[\\w+/-]+',
    offset: () => OFFSETS,
    from: () => CLOCK,
    to: () => `(?:${ISO_DATE} )?${CLOCK}`,
  },
  'agent.page': { count: () => COUNT },
  'agent.next_page': { cursor: () => String.raw`[\w.=-]+` },
  'agent.meeting': { status: () => '(?:scheduled|updated|cancelled|rescheduled)' },
  'agent.count': { count: () => either('1 meeting', String.raw`\d+ meetings`) },
  'agent.would_change': { changes: () => joined(sourceOf('agent.change'), '; ') },
  'agent.saved': { changes: () => joined(sourceOf('agent.value'), '; ') },
  'agent.change': { name: () => '[a-z_]+', before: () => VALUE, after: () => VALUE },
  'agent.ignored': { value: () => VALUE },
  'agent.value': { name: () => '[a-z_]+', value: () => VALUE },
  'agent.with': { name: () => '[a-z ]+', value: () => '[^"]+' },
  'agent.no_zone': { field: () => String.raw`[\w.]+` },
  'agent.send': { times: () => listOf(phrase(['agent.for_clock', 'agent.for_utc'])) },
  'agent.for_clock': { time: () => String.raw`\d{4}-\d\d-\d\dT[\d:.+Z-]+`, zone: () => '[\\w+/-]+' },
  'agent.for_utc': { time: () => String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z` },
  'agent.utc': { from: () => ISO_INSTANT, to: () => ISO_INSTANT },
  'agent.own_none': { first: () => ISO_DATE, last: () => ISO_DATE },
  'learned.weight': { weight: () => String.raw`[a-z_]+(?:\.[a-z]+)?` },
  'learned.counts': { weight: () => phrase(['learned.less', 'learned.more']) },
  'learned.*': { why: () => phrase(['learned.own_words', 'learned.from_move']) },
};

/** Clauses of one sentence about what a picked time avoids. */
const CLAUSES_OF_AVOIDED = groupBut('avoided', 'rules', 'focus', 'focus_of_both');
const DATES: Key[] = ['cost.bridge', 'cost.bridge_of', 'cost.between_years', 'holiday.probably'];
/** What is said of somebody after "for". */
const FOR_SOMEBODY: Key[] = [
  ...(['cost.early', 'cost.late', 'cost.first_thing', 'cost.lunch', 'cost.friday', 'cost.late_friday'] as const),
  ...(['cost.short_notice', ...groups('beside')] as const),
];
function THING(): string {
  return phrase([...groups('thing'), 'avoided.focus']);
}
function TIME_AND_DATE(): string {
  return either(phrase(['open.lunch']), PLAIN_TIME_AND_DATE());
}
function PLAIN_TIME_AND_DATE(): string {
  return either(phrase(['open.date']), sourceOf('pair', TIME_ON_BOTH), phrase(['time.one_clock']));
}

function CLOCK_IN_PLACE(): string {
  return phrase(['time.clock_in', 'time.clock_utc']);
}

const FAR = String.raw`(?:a day|\d+ days) (?:earlier|later)`;
const CLOCK_OF_OTHER = () => either(phrase(['time.other_day']), CLOCK_IN_PLACE());
const TIME_ON_BOTH = { first: () => phrase(['time.one_clock']), second: CLOCK_OF_OTHER };
const SENTENCES_OF_BENT = groupBut('bent', 'cost', 'cost_of_new', 'best_hours', 'part', 'day');
const AGAINST_PICK: Key[] = ['bent.best_hours', 'bent.part', 'bent.day'];
const COSTS_OF_PICK = () => joined(either(EVE, phrase([...GAINS_AND_COSTS, ...AGAINST_PICK])), ', and | and ');
const READ_MEANINGS = groupBut('read', 'means', 'unknown', 'ask', 'nothing', 'warning', 'keeps_length', 'no_rule');
const PAIRS_OF_WHEN = () => joined(plainWhen(), ', ');
const WHYS_OF_PICK = groupBut('why', 'asked', 'prefers', 'soonest', 'break');
const CLAUSES_OF_WHY = () => clauses(phrase([...WHYS_OF_PICK, 'its', 'gain.same_time_day']));

/** Returns the phrases for days and hours but the ones that are made of others. */
function plainWhen(): string {
  return phrase(WHEN.filter((key) => key !== 'when.not' && key !== 'when.days_and_hours'));
}

/** Returns clauses joined as a sentence joins them. */
function clauses(one: string): string {
  return joined(one, ', and |, | and ');
}

/** Returns advantages and costs of an offered time, joined by "and", "but" and commas. */
function listed(keys: readonly Key[]): string {
  return joined(either(EVE, phrase(keys)), ', and | and |, but ');
}

/** Returns a regular expression's source that matches what any of the patterns says. */
function phrase(keys: readonly Key[]): string {
  return either(...keys.map((key) => sourceOf(key)));
}

/** Returns a regular expression's source that matches what a pattern says, with a capital letter first or without. */
function sourceOf(key: Key, fills?: Record<string, () => string>): string {
  if (fills !== undefined) return sourceWith(key, fills);
  const source = sources.get(key) ?? sourceWith(key, FILLS[key] ?? {});
  sources.set(key, source);
  return source;
}

const sources = new Map<Key, string>();

function sourceWith(key: Key, fills: Record<string, () => string>): string {
  const source = PATTERNS[key].split(/(\{\w+\})/).map((part) => {
    const [, blank] = /^\{(\w+)\}$/.exec(part) ?? [];
    if (blank === undefined) return escaped(part);
    const fill = fills[blank] ?? FILLS[key.replace(/\..*/, '.*')]?.[blank] ?? FILLS['*']?.[blank];
    const value = fill?.() ?? VALUES[blank];
    if (value === undefined) throw new Error(`Nothing is known to fill {${blank}} of ${key}.`);
    return `(?:${value})`;
  });
  return source.join('').replace(/^[a-z]/, (letter) => `[${letter.toUpperCase()}${letter}]`);
}

/** Patterns that are whole sentences, which no other pattern holds. */
export const SENTENCES: Key[] = KEYS.filter((key) => PATTERNS[key].endsWith('.') || key === 'against.of');

const compiled = new Map<Key, RegExp>();

/** Returns the patterns of whole sentences that a sentence matches, each blank filled as it may be. */
export function patternsOf(sentence: string): Key[] {
  return SENTENCES.filter((key) => {
    if (!hasWordsOf(key, sentence)) return false;
    const pattern = compiled.get(key) ?? new RegExp(`^(?:${sourceOf(key)})$`);
    compiled.set(key, pattern);
    return pattern.test(sentence);
  });
}

/** Returns true if the words between a pattern's blanks stand in the sentence, in this order. */
function hasWordsOf(key: Key, sentence: string): boolean {
  // A search for words is cheap, while some of the expressions take V8 half a second to compile.
  const text = sentence.toLowerCase();
  let from = 0;
  return PATTERNS[key].split(/\{\w+\}/).every((words) => {
    const at = text.indexOf(words.toLowerCase(), from);
    from = at + words.length;
    return at >= 0;
  });
}

/** Splits a text into its sentences. */
export const sentencesOf = (text: string): string[] => text.split(/(?<=(?<!Jr)[.]|”) (?=[A-Z“"\d])/);
