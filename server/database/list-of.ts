import { sql } from 'kysely'

/**
 * The inbox list that a lead is in. Suspects are open leads without an owner's verdict; a lead with a follow-up date is back
 * in `open`. The index `leads_by_list` contains this expression (migration 008): queries use it only if the text is the same.
 */
export const listOf = sql<string>`case
    when follow_up_on is not null and state in ('open', 'answered') then 'open'
    when state = 'open' and spam_score >= 10 and verdict is null then 'suspects'
    else state end`
