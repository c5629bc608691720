import { sql } from 'kysely'

/**
 * The inbox list that a lead is in. An open lead with a high spam score is in `suspects` until an owner judges it. A lead
 * with a follow-up date is in `open`, even if it was answered. The first migration creates the index `leads_by_list` with this
 * expression: queries use the index only if they contain exactly the same text.
 */
export const listOf = sql<string>`case
    when follow_up_on is not null and state in ('open', 'answered') then 'open'
    when state = 'open' and spam_score >= 10 and verdict is null then 'suspects'
    else state end`
