import { parseArgs } from 'node:util';
import { COMMON_PARTS, PERSON_PARTS } from '../../lib/engine/rank/parts.ts';
import { type Choice, clearChoices, halves, isAgreed } from './choices.ts';

// What `npm test -- stories --choices` prints: how often the engine would offer the time that two strangers would. With
// `--fit` it also prints the numbers that a logistic fit on the one half would give the parts.

const { fit } = parseArgs({ options: { choices: { type: 'boolean' }, fit: { type: 'boolean' } } }).values;
const { fitted, unseen } = halves(clearChoices());
const saidOf = (all: readonly Choice[]) => {
  const agreed = all.filter(isAgreed).length;
  return `${agreed} of ${all.length} (${((100 * agreed) / all.length).toFixed(1)} %)`;
};
console.log(`clear choices that the engine shares, of the half that fitted its numbers: ${saidOf(fitted)}`);
console.log(`of the unseen half: ${saidOf(unseen)}`);
if (fit) for (const [name, number] of fittedNumbers(fitted)) console.log(`${name}: ${number.toFixed(2)}`);
process.exit(unseen.filter(isAgreed).length / unseen.length >= 0.9 ? 0 : 1);

/**
 * Fits the logarithms of the numbers by gradient descent: a choice is the more likely, the higher the merit of the time
 * chosen. The numbers of today pull weakly, so that a part that few cases show keeps its own.
 */
function fittedNumbers(choices: readonly Choice[]): Map<string, number> {
  const [RATE, ROUNDS, PULL, SHARPNESS] = [0.002, 20_000, 1, 6];
  const numbers: [string, number][] = [...PERSON_PARTS.map(({ name, number }): [string, number] => [name, number])];
  for (const name of ['short_notice', 'after_the_night'] as const) numbers.push([name, COMMON_PARTS[name].number]);
  const today = new Map(numbers.map(([name, number]) => [name, Math.log(number)]));
  const logs = new Map(today);
  const gaps = choices.map(({ weighed: { partsAt, products }, chosen }) => {
    const counts = new Map<string, number>();
    let product = 0;
    for (const [i, sign] of [
      [chosen, 1],
      [1 - chosen, -1],
    ] as const) {
      product += sign * Math.log(products[i] ?? 1);
      for (const { name, value } of partsAt(i)) {
        // How much sooner is worth has to leave mid-morning first on two empty calendars, so it is not fitted.
        if (name === 'lead_time') product += sign * Math.log(value);
        else counts.set(name, (counts.get(name) ?? 0) + sign);
      }
    }
    return { counts, product };
  });
  for (let round = 0; round < ROUNDS; round++) {
    const slopes = new Map<string, number>();
    for (const { counts, product } of gaps) {
      let gap = product;
      for (const [name, times] of counts) gap += times * (logs.get(name) ?? 0);
      const miss = SHARPNESS / (1 + Math.exp(SHARPNESS * gap));
      for (const [name, times] of counts) slopes.set(name, (slopes.get(name) ?? 0) + miss * times);
    }
    for (const [name, log] of logs) {
      const slope = (slopes.get(name) ?? 0) - PULL * SHARPNESS * (log - (today.get(name) ?? 0));
      logs.set(name, Math.min(0, log + RATE * slope));
    }
  }
  return new Map([...logs].map(([name, log]) => [name, Math.exp(log)]));
}
