import { sql } from 'kysely'

/**
 * The list that a lead is in: a suspect is an open lead that no owner has judged; a follow-up brings a lead back. Index
 * `leads_by_list` has this expression (migration 008): a query uses it only if the text is the same.
 */
export const listOf = sql<string>`case
    when follow_up_on is not null and state in ('open', 'answered') then 'open'
    when state = 'open' and spam_score >= 10 and verdict is null then 'suspects'
    else state end`
