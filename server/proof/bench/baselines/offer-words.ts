/** Typical phrases of unsolicited offers. Each pattern counts once. Honest messages contain a few of these phrases, too. */
const offerParts = [
  // How the recipient is addressed: as a site or business, not by name.
  /\byour (?:\w+ )?(?:web ?)?(?:site|page|blog|domain|business|company|store|brand|listing|rank\w*|traffic|sales|industry|area|state|country|keywords|customers)\b|\bur page\b/,
  /\bdear (?:sir|madam|\w*master|\w* ?owner|admin|friend)\b|\bhello admin\b|\b(?:nice|great|this|thanks? (?:you )?for (?:the|sharing)\b.{0,40}) (?:post|article|blog|site|information)\b|\bhope you are\b/,
  /\b(?:came across|visited|looking at|checked|reviewed|noticed|found) (?:that )?(?:several|your)\b|\bi saw ur\b|\bnot (?:appear|ranking|listed|verified|submitted)\b|\b(?:lacks|errors)\b/,
  // How the sender is introduced: as a team that offers services.
  /\b(?:we|i) can (?!not\b)|\b(?:we|i) (?:will (?!not)|guarantee|build|design|do it|recommend|earned)\b|\bcan make u\b/,
  /\bour (?:\w+ )?(?:team|clients?|experts|services?|software|tool|bot|signals|packages?|magazine|developers|proposal|company)\b|\b(?:staff|developers|consultant|experts|freelance\w*|outsourcing|assistant)\b/,
  /\bwe (?:sell|buy|pay|offer|provide|help|want to advertise|would like to (?:feature|publish))\b|\bfor our \w+ client\b|\bwould (?:like|love) to (?:publish|contribute|feature)\b/,
  // Prices.
  /[$€]\s?\d|\b\d[\d,.]{0,12} ?(?:eur|euro|usd|рублей)\b/,
  /\b(?:cheap\w*|affordable|discounts?|low (?:cost|monthly|price)|lowest|half|best (?:price|rates|deal)|wholesale|outlet|bulk|\d+% off|sale|zero down|barat\w*|günstig\w*)\b|недорого|дешево|низкие цены|先做后付款/,
  /\b(?:free|bonus|gifts?|prize|giveaway|gratis|lifetime|trial|deposit)\b|бесплатно|бонус/,
  // Guarantees and urgency.
  /\bguarant\w*|\b(?:100|97)%|\b(?:risk|permanent|reliable|trustworthy|legit|accurate|verified|five star|money back|real|garant\w+|discreet|secret|targeted)\b|\b(?:no|without|zero|sin) (?:\w+ )?(?:risk|experience|credit|prescription|doctor|rx|paperwork|deposit|contract|diet|need\w*|required|experiencia|aval)\b|гарант|保证/,
  /\b(?:now|today|tonight|hoy|jetzt|instant\w*|immediately|limited|exclusive|expires?|hurry|do not miss|overdue|closes soon|only \d+ left|before (?:friday|it is|the price)|this week only|in \d+ (?:hours|days|weeks|horas)|permanently|autopilot|fast|worldwide|shipping|ships?|delivery|door to door)\b/,
  // Calls to action.
  /\b(?:click|order|buy|shop|download|sign up|sign this|register|join|apply|subscribe|unlock|claim|hire|verify|renew|invest|solicite|compre|reg[ií]str\w+|bestellen|watch|play|earn|become|send 0)\b|заказать|регистрируйся|ссылке/,
  /\b(?:visit|see|check(?: \w+)?|order|here|list|site|at|details|apply|shop|on) ?:? ?>? ?(?:https?:|www\.)|\bstart (?:now|today|here|earning)|\bbook a\b/,
  /\b(?:reply|dm me|kindly|let me know|interested\?|share your|may i send|can i send|more information|price list|rate card|rates|on request)\b|\bwhat is your price|\bplease advise\b|пишите/,
  /\b(?:whatsapp|telegram|skype|wechat|t\.me|bit\.ly|tinyurl)\b|телеграм|加微信/,
  /\b(?:unsubscribe|opt[- ]?out|reply stop)\b/,
  // Benefits.
  /\b(?:boost|increase|improve|grow|double|triple|skyrocket|\d+x|rank (?:your|higher|u)|more (?:clicks|leads|traffic|customers|sales)|aumente|top results?|first page|page one|top \d+|thousands of|millions?|stop wasting|win)\b|#1\b|首页|в топ/,
  /\b[\d,.]{1,12}k? (?:thousand |million |mil\w* )?(?:de )?(?:\w+ ){0,3}(?:backlinks|leads|followers|visitors|messages|articles|posts|directories|spins|contacts|developers|emails?|correos|reviews|sites|readers|installs|signups|people|links|clients)\b|млн|миллион/,
  /\b(?:earn\w*|money|profits?|income|returns|fortune|payouts?|cash|million\w*|investors?|dinero|rich|funds|wealth|autopilot|credit)\b|заработ|рублей/,
  // Commonly advertised goods.
  /\b(?:casino|slots|roulette|poker|betting|bets|sportsbook|gambling|spins|lottery)\b|казино/,
  /\b(?:viagra|cialis|levitra|tramadol|xanax|ozempic|mounjaro|modafinil|pharmacy|pills|rx|cbd|kratom|weight loss|slim\w*)\b/,
  /\b(?:crypto\w*|bitcoin|btc|usdt|ethereum|coin|forex|trading|binary options|presale|criptomonedas)\b/,
  /\b(?:loans?|funding|payday|next of kin|bank details|barrister|petition|passports|driver licenses|invoice|legal action|diplomas?|credit check|créditos)\b/,
  /\b(?:hot|sexy|single|cams?|adult|lonely|dating|girls|ladies)\b/,
  /\b(?:replica|designer bags|gucci|nike|cracked|keys|essays?|iphone|photoshop)\b/,
  /\b(?:seo|backlinks?|link building|text link|links?|dofollow|guest (?:posts?|article)|pbn|da \d+|domain authority|search engines?|meta tags|press release|posicionamiento)\b|продвижени|外链|谷歌/,
  /\b(?:email (?:leads|marketing)|followers|traffic|trustpilot|reviews|mobile apps?|virtual|logistics|explainer|rassylka|base de datos|correos|recovery)\b|рассылк|баз[аы] данных|базы/,
  /<a\s[^>]{0,99}href=["']?(?:https?:|www)|\[(?:url|link)=/,
  /предлага|продам|сделаем|без вложений|получи(?:т[её])? |нужны клиенты|ofrecemos|bieten ihnen|aumente|gane dinero|代发/,
]

/** Typical phrases of people who want something done. */
const askParts = [
  /\b(?:i|we)(?: just| also| only| now)? (?:need|want(?! to (?:advertise|buy your|sell))|would like (?!to (?:feature|publish|contribute))|have an? (?!(?:\w+ )?(?:list|database|team|network))|am opening|are opening|own|run|manage|rent|just bought)\b|\bi would want\b|\blooking for(?! (?:cheap|cash))\b|(?:^|[.!?] )need\b/,
  /\bhow (?:much|long|fast|soon|do|does)\b|\bwhat (?:would|does|do|will|happens)\b|\bquote\b(?! at)|\bestimate\b|\bbids\b|\bis (?:it|that|this|there)\b/,
  /\b(?:can|could|would|will|do|does|are|did) (?:you|u|your)\b(?! (?:need|want|sell|get|like [\d,]+|be interested|looking for cheap|accept))|\bdo you (?:work|do|offer|have|hire|guarantee)\b|\bcan i edit\b|\bplease (?:help|quote|resend|call|send (?:yours|your quote|a w))\b/,
  /(?<!\b(?:check|visit|see|join|share) )\b(?:my|our|us)\b (?!(?:seo|rates?|list|vip|channel|experts|team|price|packages?|proposal|pricing|software|clients?|magazine|signals|ai|tool|services?|budget is|offer|private|casino|explainer|company has|client))/,
  /\b(?:hacked|is down|broken|crash\w*|stopped|(?:does not|doesn't) (?:load|work|open)|help|asap)\b(?! (?:you|your|businesses)\b)|\b(?:call|text) (?:me|us|pls)\b|\bmy cell\b/,
  /\b(?:necesito|quiero|queremos|quisiera|busco|cu[aá]nto|me gustar[ií]a|tengo|nuestra|mi)\b|нуж(?:ен|на|но)(?![а-я])|сколько|подскажите|хотим|скільки|потрібен|多少|报价|需要|想/,
]

const count = (parts: readonly RegExp[], text: string) => parts.filter((part) => part.test(text)).length

/** Counts the typical phrases of offers in a text. Each phrase that asks for something cancels two of them. */
export function weighOffer(text: string) {
  const lowerCase = text.toLowerCase()
  const asks = count(askParts, lowerCase)
  return { offers: Math.max(0, count(offerParts, lowerCase) - 2 * asks), isAsking: asks > 0 }
}
