import type { ContactRequest } from '#shared/contact-request.ts'
import { findForeignSites } from '../../../leads/spam-score.ts'
import { isDisguised, undisguise } from './lookalikes.ts'
import { weighOffer } from './offer-words.ts'

const OFFER_POINTS = [0, 0, 1, 1, 6, 8, 9]

/** The points that the earlier spam filter, which used word lists, gave to the text of a request. */
export function pointsByWordLists(request: ContactRequest): number {
  const message = undisguise(request.message)
  const { offers, isAsking } = weighOffer(message)
  const sites = findForeignSites({ ...request, message })
  const isOffer = offers >= (isAsking ? 4 : 2)
  return [
    offers > 1 ? (OFFER_POINTS[offers] ?? 9) : 0,
    isOffer && !isAsking ? 3 : 0,
    sites.count > 5 ? 6 : sites.count > 2 ? 3 : sites.count > 0 ? 1 : 0,
    sites.count > 0 && isOffer ? 3 : 0,
    sites.count > 2 && sites.lettersBesides < sites.count * 10 ? 4 : 0,
    /<a\s[^>]{0,99}href=["']?(?:https?:|www)|\[(?:url|link)=/i.test(message) ? 7 : 0,
    isDisguised(request.message) ? 7 : 0,
  ].reduce((sum, points) => sum + points, 0)
}
