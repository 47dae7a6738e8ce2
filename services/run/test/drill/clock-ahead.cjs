/** Preloaded into a process whose clock shall be CLOCK_AHEAD milliseconds ahead: a pause of an hour then takes no hour. */
const ahead = Number(process.env.CLOCK_AHEAD);
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + ahead);
    else super(...given);
  }
  static now() {
    return RealDate.now() + ahead;
  }
};
