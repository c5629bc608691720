import { officeClock } from '../../leads/office-time.ts'

/** When the office's clocks show `wall`, such as "2026-03-02T18:00". Tests must not depend on the office's time zone. */
export const atOffice = (wall: string): Date => new Date(officeClock.fromWall(Date.parse(`${wall}Z`)))
