import { formatOfficeHours, type OfficeHours } from '#shared/office-hours.ts'

const officeHours = {
  days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'],
  opens: '09:00',
  closes: '17:30',
  timeZone: 'Europe/London',
} as const satisfies OfficeHours

const zone = 'London time'

export const hours = {
  ...officeHours,
  zone,
  text: `${formatOfficeHours(officeHours)} ${zone}`,
  emergency: 'A shop that is down comes first',
}

export const closedOn: readonly string[] = [
  ...[
    '2026-01-01',
    '2026-04-03',
    '2026-04-06',
    '2026-05-04',
    '2026-05-25',
    '2026-08-31',
    '2026-12-25',
    '2026-12-28',
  ],
  ...[
    '2027-01-01',
    '2027-03-26',
    '2027-03-29',
    '2027-05-03',
    '2027-05-31',
    '2027-08-30',
    '2027-12-27',
    '2027-12-28',
  ],
]
