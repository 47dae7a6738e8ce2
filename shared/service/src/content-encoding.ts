/** Whether a body is as it was written. Some senders name its character set here (https://github.com/strapi/strapi/issues/18062), which packs nothing. */
export const isUnpacked = (contentEncoding = ''): boolean => /^(?:identity|utf-?8)?$/i.test(contentEncoding.trim());
