import { fillTemplates } from './fill-templates.ts'

const words = {
  trade: [
    'roofing company',
    'HVAC business',
    'plumbing shop',
    'landscaping crew',
    'dental practice',
    'bakery',
    'law office',
    'auto repair shop',
    'yoga studio',
    'cleaning service',
    'pet grooming salon',
    'custom cabinet shop',
  ],
  town: ['Tulsa', 'Dayton, OH', 'El Paso', 'Boise', 'Scranton PA', 'Mobile, Alabama', 'Fresno', 'Duluth'],
  plan: ['Starter', 'Professional', 'Enterprise', 'starter', '$79 a month'],
  site: [
    'www.hansen-and-daughters.com',
    'https://blueheronplumbing.net',
    'thirdstreetbakes.com',
    'http://www.okafordental.com/',
    'https://lopezyhijos-techos.com/contacto',
    'tri-county-hvac.us',
  ],
  phone: ['(918) 555-0143', '937-555-0118', '+1 208 555 0170', '570.555.0199', '2515550102'],
  name: ['Maria', 'Big Jim', 'Thuy', 'Abdul', 'Mrs. Kowalski', 'Dale & Rhonda'],
}

/** The messages that the spam rules were tuned on. */
export const tuning = [
  'Need a website for my roofing company. Call me.',
  'how much',
  'Hi! Do you work with churches?',
  'call me after 5 pls 614 555 0190',
  'Our site is down since this morning and nobody at the old hosting company answers. Can you take over? It is on WordPress, I have the login.',
  'I came across your website while looking for somebody local. I like the HVAC example. We are three brothers doing furnaces and ducts in Fort Wayne, and we have only a Facebook page. What would the Professional plan include for us?',
  'We offer gutter cleaning, siding and roof repair, and we provide free estimates to our customers. We would like a five page site that says that, with a phone button.',
  'Our last SEO company bought us hundreds of spammy backlinks and now Google shows us on page 6. Can you clean that up? Site: www.joesheatingandair.com',
  'Do you guarantee first page results? The last agency promised us number 1 on Google and took $900 a month for nothing.',
  'My WordPress got hacked. It shows viagra and casino ads in Japanese when you google us. Need help ASAP!!! https://mapleleafvets.com',
  'We rent casino tables for parties and fundraisers: blackjack, roulette, poker. No real money involved. Looking for a site with a calendar and a deposit by card.',
  'I run an independent pharmacy in rural Kansas. We need online refill requests, HIPAA matters. Do you have experience with that?',
  'Hola, tengo una empresa de techos en San Antonio y necesito una página web en español y en inglés. ¿Cuánto cuesta y en cuánto tiempo estaría lista? Mi número es 210 555 0134. Gracias.',
  'Buenas tardes. Me gustaría cotizar una página para mi restaurante de comida oaxaqueña. Ya tengo el logo y las fotos del menú.',
  '你好，我们是一家在洛杉矶的装修公司，想做一个中英文双语网站，大概10页，需要SEO优化。请问价格多少？多久能完成？',
  'مرحبا، لدي مطعم في ديربورن وأريد موقعا بالعربية والإنجليزية مع قائمة الطعام وطلبات عبر الإنترنت. كم السعر؟ شكرا',
  'Здравствуйте! У нас небольшая IT-компания в Бруклине, нужен сайт на русском и английском. Сколько стоит и как быстро? Нужно также SEO-продвижение по Нью-Йорку.',
  'Добрый день, нужен лендинг для детского сада. Наш SEOшник сказал, что WordPress не подойдёт, а PDFка с меню должна скачиваться. Что посоветуете?',
  'Xin chào, tôi có tiệm nail ở Garden Grove, muốn làm website để khách đặt hẹn online. Giá bao nhiêu vậy? Cảm ơn.',
  'Bonjour, nous ouvrons une pâtisserie à La Nouvelle-Orléans en septembre. Pouvez-vous nous proposer un site simple avec horaires, carte et photos ?',
  '안녕하세요. 애틀랜타에서 세탁소를 운영하고 있습니다. 홈페이지 제작 비용이 궁금합니다. 한국어로 상담 가능한가요?',
  'नमस्ते, मेरी न्यू जर्सी में मिठाई की दुकान है। मुझे ऑनलाइन ऑर्डर के लिए वेबसाइट चाहिए। कृपया कीमत बताएं।',
  'Γεια σας, έχω μια μικρή ταβέρνα στην Astoria και χρειάζομαι καινούργιο site με μενού. Πόσο κοστίζει;',
  'Witam, prowadzę firmę remontową w Chicago. Potrzebuję strony po polsku i po angielsku, ze zdjęciami łazienek. Ile to kosztuje?',
  'We love how these look: https://www.apple.com https://stripe.com and https://www.patagonia.com - something calm like that, for a funeral home. Our present one is https://www.graceandsonsfuneral.com',
  'Competitors that outrank us: abcroofpros.com, toproofguys.com, summitroofingco.com, stormchasersroofing.com. How do we get above them in Wichita?',
  'Hey 👋 super excited!! 🎉🎂 I make custom cakes from home & my insta is blowing up 🔥 need a cute lil site where ppl can order 💕 budget is like 300 max 😅',
  'ok so my nephew built our site in 2014 and he moved to Oregon and now nobody can change the hours on it which is a problem because we changed the hours',
  'Please quote: 10 pages, online payment (Square), booking calendar, Google Business profile setup. Timeline: before May 1. Budget approx. $1,000. Decision by Friday.',
  'TEST',
  'I already have a domain through GoDaddy and email through Microsoft 365. Would moving the hosting to you break my email? I do not want to lose any messages.',
  'We are a licensed mortgage broker (NMLS) offering home loans, refinancing and reverse mortgages in Nevada. Compliance has to approve every page. Is that a process you can live with?',
  'I do taxes for crypto investors: bitcoin, staking, the whole mess. Small firm, two CPAs. Need a plain trustworthy looking site, nothing flashy.',
  'Our error log says: <a href="/contact">Contact</a> was blocked by a content security policy. Is that a thing you can fix? Our developer left.',
  'I would like to increase the number of calls from our website. We get about 200 visitors a month and maybe 2 calls. What would you change first?',
  'Does the free audit on your page... actually I am not sure I saw one. Is there a free look at a current site before we decide?',
  'I write a gardening blog and would like to accept guest posts from other gardeners, with a form and some moderation. Can your Starter plan do that?',
  'My wife already wrote to you from her address, I just want to add that we are in Central time and that mornings are best.',
  'We sell weight loss coaching, NOT pills. Every agency we ask thinks we are spam lol. 1:1 sessions, group calls on Zoom, payment plan.',
  'Looking for a redesign. Motor rewinding shop. Our spec table has units like 10kΩ, 5kΩ and 40μm that came out as question marks on the last site.',
  'Hello, my name is 𝓢𝓪𝓻𝓪 and I do lashes 💅 I need a booking page, my clients text me all day and I cant keep up',
  `To whom it may concern,

The Board of the Riverside Homeowners Association (412 units) is soliciting three written quotes for a members' website. Requirements: documents area with a password, calendar, a contact form for maintenance, and hosting for two years. The Board meets on the second Tuesday of each month; we would need your quote in writing by the first.

References from two comparable clients would be appreciated. Please do not call the front desk.

Respectfully,
Harold J. Pemberton, Secretary`,
  `We have had the same website since 2009. It was built in Flash, then somebody converted it, and now half the pictures are missing. I have pasted what our customers tell us below.

"I could not find your phone number."
"The map goes to your old shop."
"It does not work on my phone."

I am not good with computers, but I know what I want: our phone number at the top, our address with a map, the four things we do (brakes, tires, oil, inspections), and a page about my father who started the place in 1961. That is all. I do not want a blog. I do not want a chat thing. How much for that, and who would answer the phone if something breaks on a Saturday?`,
  'Can you get us on the first page for "water heater replacement Spokane"? What would that cost a month, roughly?',
  'We are a marketing agency in Austin and have more design work than we can handle. Would you take on white label builds for our clients?',
  'Looking for an affordable website for our nonprofit. We only have $500 this year. Do you offer a discount for 501(c)(3)s?',
  'We sell used restaurant equipment, cheap but tested. Need a catalog people can search, about 300 items. Current: usedkitchensok.com',
  'I visited your website on my phone and the picture of the roof made me laugh. Anyway we need one too. Deck builder, Asheville.',
  'Our traffic dropped 60% after the redesign by our last agency and rankings for our main keywords are gone. Please help. https://www.pinecrestorthodontics.com',
  'Can I send you our logo and photos by email? The form does not take attachments. Bookkeeping office, Topeka.',
  'We offer free consultations for injury cases. Two attorneys. The bar requires certain disclaimers on the site. Budget up to $2,000.',
  'My site says "free shipping on orders over $50" but checkout still charges it. Can you fix Shopify? www.loomandpetal.com',
  'I want more customers. Simple as that. Tire shop. Mobile too.',
  'I run a small casino night events firm and a poker supply shop. Two websites or one? casinonightsomaha.com and pokersupplyomaha.com',
  'Please remove me from whatever list this is, I get three emails a week from your company. Unsubscribe!',
  'Is there a money back guarantee if we do not like the design?',
  'I teach people about personal finance, passive income, paying off loans. I hate how scammy most sites in my field look. Can you do better?',
  'Our dating coach business needs a site that does not look sleazy. Boston area, mostly divorced people over 40.',
  'Hi! I found you on Google Maps. We do mobile dog grooming and we want online booking, reminders by text, and a discount for seniors displayed.',
  'Do you guys do Google Ads as well? We pay $1,200 a month to an agency now and get maybe 3 leads.',
  'We have 5,000 followers on Instagram and 12,000 emails in Mailchimp but no website. Jewelry. Launch in October.',
  'Could you call our insurance agent first? He pays for it. (919) 555-0127, ask for Ted. We need a site with a quote button for home, auto and life.',
  'The link in your email quote does not open. https://plumbline.example/quote/771 says page not found. Please resend!',
  'Estimados, somos una clínica dental en McAllen. Queremos aparecer en el primer lugar de Google cuando busquen implantes. ¿Qué nos ofrecen y cuánto cuesta?',
  'Hola, vi su página. ¿Dan alguna garantía? Vendo muebles, la tienda es muebleselpaso.com',
  'Здравствуйте, хотим заказать сайт для автосервиса в Бостоне. Есть ли у вас гарантия и сколько стоит продвижение?',
  '我们做跨境电商，想找长期合作的网站维护公司。现在的网站 https://www.silkroadtea.shop 打开很慢，怎么收费？',
  'Vendo seguros de vida y de auto. Necesito una página barata pero que se vea profesional. Solo tengo $200 ahora.',
  'Dear Sir or Madam, I am writing on behalf of St. Brendan Parish. We would like an estimate for a new website including a bulletin archive and online giving.',
  'Not a customer, just letting you know the Privacy link in your footer goes nowhere on Safari. Nice site otherwise!',
  'Need it FAST. Grand opening in 2 weeks. Nail salon. Have photos. Will pay extra. 904-555-0156 call or text now',
  'Would you be interested in a trade? I restore wood floors and your office photo shows floors that need it. Site for floors?',
  'I have 3 domains and want them all to point to the one site: knoxvillegutters.com, guttersknox.com, gutterguysofknox.com, plus .net of the first.',
  'Our AdWords guy says we need backlinks and to publish articles on other sites. Is this something included in SEO?',
  'Site hacked again. Redirects to some bitcoin thing and a pharmacy page. Hosted with you know who. alamocityglass.com HELP',
  'We sell vapes and CBD gummies, legal in our state. Half the builders refuse us. Do you?',
  'i need a webiste for my band we play weddings. cheap lol. bass player can do fotos',
  'My father passed and left the business and the domain registration to us; how do we get into his account? He paid you by check I think. Lottery store, Camden.',
  'Can you put a Bitcoin donate button on our shelter page? Not sure it is worth it but one donor asked.',
  ...fillTemplates(
    [
      'Hi, this is {name}. I have a {trade} in {town} and I think the {plan} plan would be right. Can you call {phone}?',
      'Looking for a quote. {trade}, {town}. Current website {site} is old and slow on phones.',
      'My {trade} needs to show up on Google when people in {town} search. Right now we are nowhere. Site is {site}, cell {phone}.',
      'We just bought a {trade} in {town} from the previous owner and got the domain {site} with it. What would it cost to start fresh on the {plan} package?',
      'Question about the {plan} plan: does hosting include email addresses for a {trade}? We need four. Thanks, {name} {phone}',
      '{name} here, {trade} in {town}. Our site {site} does not load since yesterday. How fast can you help? {phone}',
      'Necesito una página para mi {trade} en {town}. Mi sitio actual es {site}. ¿Me pueden llamar al {phone}?',
      'I saw your prices. For a {trade} that only needs one page, would you go below the {plan} price? If so call {name} at {phone}.',
    ],
    words,
    9,
  ),
]

/** Not used for tuning, with one exception: after a look at these messages, the rules were rewritten to match single words. */
export const holdout = [
  'Quote pls',
  'what does seo cost per month',
  'Are you open Saturdays?',
  'I need somebody to fix my contact form, it stopped sending in January and I probably lost customers.',
  'Found you through the Chamber of Commerce. We are a family farm near Yakima that sells cider, and we want people to reserve pick-your-own slots. Never had a website.',
  'We provide mobile notary services across three counties. We offer evening appointments. I would want a page for each county and a form to book.',
  'Someone keeps emailing me that they can rank my website first with their link building. Is any of that real? I would rather pay you and know what I get. coastalcarpetcare.com',
  'Is it true that backlinks matter? My nephew says we need a higher domain authority, I just want more brake jobs.',
  'Hi, our online store at https://juniperandclay.shop sells pottery. Traffic is fine, about 4k visits, but sales are 0.4%. Could you look at the checkout?',
  'I manage a poker league for veterans (free to play). We want standings, a schedule and a sign-up. The old page was at www.vetspokerleague.org.',
  'We are a compounding pharmacy and our listing shows the wrong hours. Also the website needs to be ADA compliant, our lawyer says.',
  'Startup here. We are building a wallet for bitcoin payments in corner shops and need a marketing page by the end of the month. We have copy and brand guidelines.',
  'I broker small business loans and equipment leases in Ohio, and I need a website with an application form that is secure.',
  'Buenos días, mi esposo y yo limpiamos casas y oficinas en Phoenix. Queremos una página sencilla, con precios y WhatsApp. ¿Se puede pagar en dos partes?',
  'Hola!! cuanto sale la pagina basica??? es para una barberia',
  'Quisiera saber si el plan Profesional incluye posicionamiento en Google para "plomero en Laredo". Nuestra página es https://plomerialaredo.com y casi no recibimos llamadas.',
  '您好，我朋友推荐了你们。我在纽约法拉盛开牙科诊所，需要网站可以在线预约，支持微信联系。预算1500美元左右。',
  '我们工厂想开拓美国市场，需要一个英文官网，产品大约60个。请报价，谢谢！网站：www.deli-hinges.cn',
  'السلام عليكم، عندي ورشة تصليح سيارات في هيوستن وبدي موقع بسيط فيه العنوان ورقم التلفون. هل الدفع على أقساط ممكن؟',
  'سلام، یک رستوران ایرانی در لس‌آنجلس داریم و می‌خواهیم سایت دوزبانه داشته باشیم. لطفاً قیمت را بفرمایید.',
  'Здравствуйте, мы с мужем открыли пекарню в Сиэтле, нужен простой сайт с меню и картой. Подскажите цену и сроки, пожалуйста.',
  'Доброго дня! Маємо невелику клінінгову компанію в Сакраменто, потрібен сайт англійською та українською. Скільки коштує?',
  'こんにちは。ホノルルで小さなラーメン屋をやっています。英語と日本語のサイトをお願いしたいのですが、見積もりをいただけますか？',
  'Olá, tenho uma empresa de mármore e granito em Framingham. Quero um site com fotos dos trabalhos. Quanto custa e quanto tempo demora?',
  'Guten Tag, wir verlegen Böden in Milwaukee und hätten gern eine neue Website. Die alte ist https://www.bodenmeister-mke.com. Was würde das kosten?',
  'שלום, יש לי מאפייה כשרה בברוקלין ואני צריך אתר עם הזמנות לשבת. מה המחיר?',
  'สวัสดีค่ะ เปิดร้านนวดแผนไทยที่ลาสเวกัส อยากทำเว็บไซต์ให้ลูกค้าจองคิวได้ ราคาเท่าไหร่คะ',
  'Kumusta, may catering kami sa Daly City. Magkano po ang website na may menu at order form?',
  "Merhaba, New Jersey'de halı yıkama işimiz var. Basit bir site istiyoruz, fiyat nedir?",
  'Examples I like: https://www.basecamp.com/ and https://linear.app/ (the spacing!). Examples I do not like: every other roofer. We are in Amarillo.',
  'ughhh wix keeps crashing 😩 can u just move everything for me?? its candlesbykenz.com 🕯️✨ tysm',
  '1) price 2) how long 3) can I edit it myself 4) do you do logos',
  'Please send a W-9 and your certificate of insurance along with the quote; our procurement will not open a vendor file without them. Scope attached in the portal, reference 4471-B.',
  'We are moving from Squarespace. 34 pages, about 200 product photos, newsletter with 1,100 subscribers (they must be able to unsubscribe). Quote for moving and for a year of upkeep?',
  'You built the site of my neighbor and he is happy. I want the same but for tree removal. No hurry. Cash ok?',
  'Can you do something about bad reviews? One of them is from a person who was never our customer. Also we would like a new site.',
  'I am a student at Portland State writing about small agencies. Could I ask you five questions by email? Not a sales thing.',
  'Job question: do you hire junior designers? I live in Reno and can send my portfolio.',
  'URGENT. Site hacked, Google says "this site may be hacked", pages selling cialis and replica watches. www.stmarkspreschool.org. Parents are calling me.',
  'I am interested in buying your Enterprise plan but first: what happens after the two years of hosting? Do I own the domain?',
  'Our newsletter vendor says to add a TXT record. I have no idea what that is. Do you do this kind of support without a website contract?',
  'Resending because I am not sure it went through the first time. Bed and breakfast, 6 rooms, Bar Harbor. Need online booking by Memorial Day.',
  `Good morning,

I own two laundromats and a small storage facility, and I would like one website for all three, or three small ones if that is better for search. My questions:

- Is it $400 each or once?
- Who writes the text?
- Can tenants of the storage facility pay through the site?
- You promise quarterly strategy calls on Enterprise. With whom?

I am around most mornings, Eastern time.

Thank you,
Winston Achebe
(706) 555-0161`,
  `I will be honest, I have been burned twice. First by an offshore team that took a deposit and vanished, then by a local guy who registered the domain in his own name and wants $2,500 to give it back. So before anything else I would want to see a contract.

What we do: commercial refrigeration, install and repair, 14 technicians, nights and weekends. Most of our calls come from people whose walk-in cooler just failed, so the phone number and "24/7" matter more than anything pretty.

What we need: new site, the domain back if you know how that is done, and someone who answers. If you can do that we will not leave.`,
  ...fillTemplates(
    [
      'Good afternoon, I am opening a {trade} in {town} this spring and need everything: domain, logo, site. Is that {plan}?',
      'Could you look at {site} and tell me why it is so slow? It is for our {trade}.',
      '{trade} / {town} / {phone} / want {plan}',
      'A friend said you built a nice site for a roofer. Can you do the same for a {trade}? {site} is what we have today. Best time to call {phone} is after six. {name}',
      'Need a price for SEO only, we are happy with {site} as it is. {trade}, mostly {town} and around.',
      'Hi {name} asked me to get three bids for a new website for our {trade}. Please send yours by email. Phone if needed {phone}.',
      'Busco presupuesto para renovar {site}. Somos una {trade} en {town} con quince años. Teléfono {phone}, pregunte por {name}.',
      'is {plan} per month or per year?? my {trade} is small. text me {phone}',
    ],
    words,
    9,
  ),
]

/**
 * Written after the rules, about other subjects, and not used for tuning. But every later change to the rules must pass the
 * test with these messages, so the set becomes less independent over time.
 */
export const unseen = [
  'Three locations, one website. Each shop has its own hours and menu. Do we need three Google listings too? We are at burritoexpressaz.com',
  'Can your designer make the new site look like our trucks? Green and white, big phone number.',
  'I got a call from someone who says our domain is expiring and we owe $289. Is that you? If not, who is it?',
  'What is the difference between Starter and Professional besides the number of pages?',
  'My business partner thinks we should be on page one for every keyword. Please explain to him what is realistic. Pressure washing, Savannah.',
  'We are a real estate team and need listings pulled from the MLS. Does the hosting handle that? Current: kendallhomesgroup.com',
  'Selling handmade soap at fairs, now want to sell online and ship nationwide. How much for a store with about 25 products?',
  'We buy houses for cash in Memphis. Need a landing page with a form and a phone number, and someone who can run the ads.',
  'Small credit union, 4,000 members, need an accessible website, no online banking, just rates and news. Board approval required.',
  'Do you accept payment in installments? I can do $100 a month.',
  'hello i am disabled veteran starting lawn business need cheap website with pictures and reviews thank you god bless',
  'We manufacture supplements. FDA disclaimers required. Wholesale login for stores, retail for everyone else. nutrabayou.com',
  'I saw your sign on Route 9. Do you also do signs?',
  'Tengo un food truck y quiero que la gente vea dónde estoy cada día. ¿Se puede con mapa? Instagram: tacoselguero',
  'Ищем подрядчика на поддержку сайта, у нас онлайн-школа, около 3 млн посещений в год. Бюджет обсудим. https://shkola-plus.ru',
  '我想问一下网站维护每个月多少钱？我们是做海鲜批发的，在西雅图。',
  'Wir brauchen Hilfe: unsere Seite https://www.gasthof-linde-tx.com zeigt seit gestern nur noch einen Fehler 500.',
  'Nice work on the HVAC one. We are plumbers, same county. Would that be a conflict for you?',
  'Please sign the attached NDA before I tell you the idea. It is an app, like Uber but for snow plows. Could be huge.',
  'Google says my site is "not secure". Customers are scared to order flowers. tulipandthorn.com. Can this be fixed today?',
  'Our intern quit with the passwords. Website, Facebook, everything. Help?',
  'We have a booth at the trade show on the 14th and the site has to be live by then. 6 pages. Text is written. What do you charge for a rush?',
  'I am a wedding DJ, I also offer photo booths and lights, packages from $600. Need a site where couples can check dates.',
  'Church of 80 people. Want to post sermons, take online donations and have a prayer request form. What does that cost?',
]
