/** The idempotency key was claimed before; its row tells the rest. */
export class KeyTaken extends Error {}

/** The time of a meeting that must not overlap another is taken. */
export class SlotTaken extends Error {}

/** The meeting is not what it was when it was read. */
export class MeetingChanged extends Error {}
