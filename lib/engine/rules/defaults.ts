import { WEEKDAYS } from '../time/dates.ts';
import type { DayHours, EnergyPattern, LearnedWeights, WorkHours } from '../types.ts';

export const everyDay = (hours: Omit<DayHours, 'enabled'>) =>
  Object.fromEntries(WEEKDAYS.map((day) => [day, { enabled: true, ...hours }])) as WorkHours;

const usual = { start: '08:00', end: '18:00' };
const dayOff = { enabled: false, ...usual };

export const DEFAULT_WORK_HOURS: WorkHours = { ...everyDay(usual), saturday: dayOff, sunday: dayOff };

export const ANY_TIME = everyDay({ start: '00:00', end: '24:00' });

export const DEFAULT_BUFFER_MINUTES = 0;
export const DEFAULT_MAX_MEETINGS_PER_DAY = 10;
export const DEFAULT_WINDOW_DAYS = 14;
export const DEFAULT_ENERGY_PATTERN: EnergyPattern = 'flexible';

export const DEFAULT_WEIGHTS: LearnedWeights = {
  timeOfDay: { morning: 1, afternoon: 1, evening: 1 },
  dayOfWeek: { monday: 1, tuesday: 1, wednesday: 1, thursday: 1, friday: 1, saturday: 1, sunday: 1 },
  bufferImportance: 1,
};
