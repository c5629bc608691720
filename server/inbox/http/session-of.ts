import type { Response } from 'express'
import type { Selectable } from 'kysely'
import type { Schema } from '../../database/schema.ts'

export type SessionRow = Selectable<Schema['sessions']>

/** The session that `requireSession` found; only for routes behind it. */
export const sessionOf = (response: Response): SessionRow => response.locals.session

export const setSession = (response: Response, session: SessionRow): void => {
  response.locals.session = session
}
