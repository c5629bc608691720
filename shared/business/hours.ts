import { formatOfficeHours, type OfficeHours } from '../time/office-hours.ts'

const officeHours = {
  days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'],
  opens: '08:00',
  closes: '18:00',
  timeZone: 'America/New_York',
} as const satisfies OfficeHours

/** Change it together with `timeZone`. */
const zone = 'EST'

export const hours = {
  ...officeHours,
  zone,
  text: `${formatOfficeHours(officeHours)} ${zone}`,
  emergency: 'Emergency support available',
  /** How to get emergency support, such as "call, at any hour". Left out while empty. */
  emergencyHow: '',
}

/**
 * Holidays, or the workdays on which they are observed. Add next year's holidays before that year
 * begins.
 */
export const closedOn: readonly string[] = [
  ...['2026-01-01', '2026-05-25', '2026-07-03', '2026-09-07', '2026-11-26', '2026-12-25'],
  ...['2027-01-01', '2027-05-31', '2027-07-05', '2027-09-06', '2027-11-25', '2027-12-24', '2027-12-31'],
]
