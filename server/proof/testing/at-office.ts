import { officeClock } from '../../leads/office-time.ts'

/** The moment when the office's clocks show `wall`, such as "2026-03-02T18:00", whatever the office's time zone. */
export const atOffice = (wall: string): Date => new Date(officeClock.fromWall(Date.parse(`${wall}Z`)))
