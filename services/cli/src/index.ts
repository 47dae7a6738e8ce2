export { exitCodes } from './failure';
export { type ProgramOptions, runProgram } from './program';
