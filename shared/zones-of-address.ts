import { createTimeZone } from './time-zone.ts'

/** TypeScript's built-in types don't include `getTimeZones` yet. */
type LocaleWithZones = Intl.Locale & { getTimeZones: () => string[] | undefined }

/** The US states in each time zone. A state with several zones is listed under each of them. */
const statesByZone = {
  'America/New_York': 'CT DC DE FL GA IN KY MA MD ME MI NC NH NJ NY OH PA RI SC TN VA VT WV',
  'America/Chicago': 'AL AR FL IA IL IN KS KY LA MI MN MO MS ND NE OK SD TN TX WI',
  'America/Denver': 'CO ID KS MT ND NE NM NV OR SD TX UT WY',
  'America/Phoenix': 'AZ',
  'America/Los_Angeles': 'CA ID NV OR WA',
  'America/Anchorage': 'AK',
  'America/Adak': 'AK',
  'Pacific/Honolulu': 'HI',
}

/** Whether clocks at this address show the time of `timeZone`, in winter and in summer. True if the country is unknown. */
export function isAtAddress(
  timeZone: string,
  { country, region }: { country: string; region: string },
): boolean {
  const zones = zonesOf(country, region)
  return zones.length === 0 || zones.some((zone) => offsetsOf(zone) === offsetsOf(timeZone))
}

function zonesOf(country: string, region: string): string[] {
  const ofState = Object.entries(statesByZone).filter(([, states]) => states.split(' ').includes(region))
  return country === 'US' && ofState.length > 0
    ? ofState.map(([zone]) => zone)
    : ((new Intl.Locale('und', { region: country }) as LocaleWithZones).getTimeZones() ?? [])
}

const instants = [Date.UTC(2026, 0), Date.UTC(2026, 6)]
const offsetsOf = (timeZone: string) =>
  instants.map((instant) => createTimeZone(timeZone).toWall(instant) - instant).join()
