import type { Env } from '../../env.ts'

type Addresses = Pick<Env, 'MAIL_TO'>

/** Who is told about a lead: about its request, about replies to it, and by lists. */
export const noticeAddresses = ({ MAIL_TO }: Addresses, _lead: { budget: string }): readonly string[] =>
  MAIL_TO

/** Everybody who is told about some leads. */
export const allNoticeAddresses = ({ MAIL_TO }: Addresses): readonly string[] => MAIL_TO
