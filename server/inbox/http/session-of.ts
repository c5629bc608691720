import type { Response } from 'express'
import type { Selectable } from 'kysely'
import type { Schema } from '../../database/schema.ts'

export type SessionRow = Selectable<Schema['sessions']>

/** The session that `requireSession` found. Call this only in routes behind `requireSession`. */
export const sessionOf = (response: Response): SessionRow => response.locals.session

export const setSession = (response: Response, session: SessionRow): void => {
  response.locals.session = session
}
