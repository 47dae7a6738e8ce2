const { base = '', timeZone = 'UTC', version = '' } = document.documentElement.dataset;

/** What api-gateway wrote into the page: BASE_PATH, the shop's time zone, the version of the software. */
export const place = { base, timeZone, version } as const;
