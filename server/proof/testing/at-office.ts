import { officeClock } from '../../leads/office-time.ts'

/** When the office's clocks show this: "2026-03-02T18:00". Tests must not know in which time zone the office is. */
export const atOffice = (wall: string): Date => new Date(officeClock.fromWall(Date.parse(`${wall}Z`)))
