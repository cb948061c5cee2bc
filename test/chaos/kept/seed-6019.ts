import type { KeptPlan } from '../plan.ts';

export const SEED_6019: KeptPlan = {
  story:
    'A platform loses access to one of two people while a batch books the other at a time that their proposal held: the proposal has ended, and the checks said that its time was taken.',
  isForgiving: false,
  doesOffer: true,
  waves: [
    {
      cells: ['batch | A | is cut before', 'job | claim | is late'],
      wanted: ['batch 1194932513', 'deliver 1057846942', 'propose 1888541497', 'propose 886340401', 'book 265968186'],
      calamities: ['a person takes the guest off or on 217593104 15', 'access tokens run out 1220010337 30'],
    },
    {
      cells: ['book | caller | is cut after'],
      wanted: [
        'book 326794849',
        'disconnect 64235869',
        'auto 1590967136',
        'reschedule 1104034250',
        'propose 572382396',
      ],
      calamities: ['Redis is emptied 2066222977 84', 'pushes are lost 1608626666 88'],
    },
    {
      cells: ['deliver | record | is late', 'search | free/busy | is cut after'],
      wanted: [
        'deliver 546641983',
        'search 1438348443',
        'propose 1934021414',
        'batchstop 135844220',
        'bookfree 251943256',
      ],
      calamities: [],
    },
    {
      cells: ['update | B | answers 401'],
      wanted: ['update 1904677403', 'propose 1149519271', 'refuse 406759217', 'expire 901337409', 'connect 507398707'],
      calamities: ['a person restores an event 160766958 26', 'a person declines and accepts again 1532184661 39'],
    },
    {
      cells: ['connect | exchange | dies before'],
      wanted: ['connect 1469616098', 'rival 86845836', 'choose 2063825271', 'connect 122742575', 'accept 1120307595'],
      calamities: ['messages come in another order 1395469717 56', 'a person answers an invitation 1180317769 113'],
    },
    {
      cells: ['reschedule | caller | dies before', 'decline | A | dies before'],
      wanted: [
        'reschedule 1724977989',
        'decline 131720556',
        'bookfree 911026946',
        'bookfree 1323181280',
        'disconnect 92882910',
      ],
      calamities: ['a person makes an event all-day 996788777 43'],
    },
    {
      cells: ['counter | page | never answers'],
      wanted: [
        'counter 1856572593',
        'expire 709449630',
        'rival 944635663',
        'propose 1900636883',
        'bookfree 1509230651',
      ],
      calamities: ['pushes come late and twice 1532901591 71'],
    },
    {
      cells: ['accept | B | answers 403 rate', 'cancel | answer | dies before'],
      wanted: ['accept 898361113', 'cancel 34715253', 'propose 667462284', 'accept 1841773991', 'book 2095310342'],
      calamities: ['a person declines and accepts again 1196248202 56'],
    },
    {
      cells: ['accept | publish | dies after'],
      wanted: [
        'accept 863665544',
        'propose 1493791920',
        'proposemove 174892418',
        'deliver 2112713610',
        'auto 426596698',
      ],
      calamities: [
        'a person makes an event all-day 1611726292 95',
        'a person takes the guest off or on 2124003681 116',
      ],
    },
    {
      cells: ['update | A | is cut before'],
      wanted: ['update 1805185365', 'auto 1093896900', 'connect 1142685738', 'batch 1407484287', 'choose 1098177440'],
      calamities: [],
    },
  ],
};
