import { createNeon } from '../local/neon.ts';
import { MIGRATIONS } from '../local/world.ts';
import { seeded } from '../support/fuzz/seeded.ts';
import { openCalendarLab } from '../support/worlds/calendar-lab.ts';
import { DAY, type Part, playWeek } from './week-played.ts';

// Plays one kind of accounts in a process of its own, and writes its figures as JSON. The argument is the part to play.

const part: Part = JSON.parse(process.argv[2] ?? '{}');
const chance = seeded(part.seed);
const random = () => chance.below(1_000_000) / 1_000_000;
const neon = await createNeon({});
await neon.migrate(MIGRATIONS);
const lab = await openCalendarLab(neon);
const onDay = (day: number) => console.error(`${part.kind.name}: day ${day} of ${part.days}`);
try {
  const figures = await playWeek(lab, { ...part, random, onDay: (ms) => onDay(ms / DAY) });
  const { user, system } = process.cpuUsage();
  process.stdout.write(JSON.stringify({ ...figures, seconds: (user + system) / 1e6 }));
} finally {
  await lab.close();
}
