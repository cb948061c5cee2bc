const MachineDate = Date;
let offset = 0;

globalThis.Date = new Proxy(MachineDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [MachineDate.now() + offset] : args, newTarget),
  apply: () => new Date().toString(),
  get: (target, name, receiver) =>
    name === 'now' ? () => MachineDate.now() + offset : Reflect.get(target, name, receiver),
});

/** Sets how many ms the isolate's `Date` runs ahead of the machine. */
export function setOffset(ms: number): void {
  offset = ms;
}
