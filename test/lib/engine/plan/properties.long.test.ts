import { testPlans } from './properties.ts';

testPlans(400);
