const split = (words: string) => words.split(' ')

/** The parts of made-up names and addresses. As in a real customer list, some names are common, and many share parts. */
export const people = {
  firstNames: split(
    'Ana Anna Andrea Bill Brian Carla Carlos Chen Dana David Dwayne Elena Emma Fatima Frank George Grace Hannah Henry Ines Jack James Jane José Karen Kevin Laura Linda Luis Maria Mark Mary Michael Nora Oscar Patricia Robert Sara Thuy William',
  ),
  nameStarts: split(
    'Lind Berg Hol Stein Green Wood Black Rich Har John Ander Pet Nor East West Ash Brad Clay Dal Ed Fair Gar Hart Jack Kirk Lang Mar Nel Or Per',
  ),
  nameEnds: split(
    'berg man son field ton ley ford well wood er ard ing ström ez ski ini aud strand dale worth',
  ),
  domains: split(
    'mail.example post.example roofs.example bakery.example inbox.example letters.example web.example',
  ),
  trades: split('Roofing Bakery Dental Plumbing Landscaping Hvac Law Yoga Cleaning Grooming Cabinets Repair'),
}
