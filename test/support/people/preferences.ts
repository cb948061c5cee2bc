export const workDay = { enabled: true, start: '08:00', end: '18:00' };
export const dayOff = { ...workDay, enabled: false };

/** Returns the preferences of a person in this zone who has set none. */
export const nothingSet = (timezone: string) => ({
  work_hours: {
    monday: workDay,
    tuesday: workDay,
    wednesday: workDay,
    thursday: workDay,
    friday: workDay,
    saturday: dayOff,
    sunday: dayOff,
  },
  timezone,
  buffer_minutes: 0,
  availability_window_days: 14,
  max_meetings_per_day: 10,
  energy_pattern: 'flexible',
  // Test people keep no holidays unless a test is about them: see the test world.
  holidays: 'off',
  scheduling_context: '',
  focus_blocks: [],
});
