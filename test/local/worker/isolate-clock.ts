const MachineDate = Date;
let offset = 0;

globalThis.Date = new Proxy(MachineDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [MachineDate.now() + offset] : args, newTarget),
  apply: () => new Date().toString(),
  get: (target, name, receiver) =>
    name === 'now' ? () => MachineDate.now() + offset : Reflect.get(target, name, receiver),
});

/** Sets the milliseconds by which the isolate's `Date` is ahead of the machine's clock. */
export function setOffset(ms: number): void {
  offset = ms;
}
