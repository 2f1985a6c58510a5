! umat41: Hooke's law in rate form, for solids, shells, beams and trusses. cm: E, nu, K, G.
subroutine umat41(cm, eps, sig, epsp, hsv, dt1, capa, etype, tt, temper, failel, crv, nnpcrv, cma, qmat, elsiz, &
                  idele, reject)
  implicit none
  real(8) :: cm(*), eps(6), sig(6), epsp, hsv(*), dt1, capa, tt, temper, crv(*), cma(*), qmat(3, 3), elsiz
  character(5) :: etype
  integer(4) :: nnpcrv(*)
  integer(8) :: idele
  logical(4) :: failel, reject
  real(8) :: shear, lambda

  shear = cm(1)/(2*(1 + cm(2)))
  lambda = cm(1)*cm(2)/((1 + cm(2))*(1 - 2*cm(2)))
  ! In shells the thickness strain follows from zero stress across them.
  if (etype == 'shell') eps(3) = -cm(2)/(1 - cm(2))*(eps(1) + eps(2))
  ! Fibres of beams are free across.
  if (etype == 'hbeam' .or. etype == 'tbeam') eps(2:3) = -cm(2)*eps(1)
  sig(1:3) = sig(1:3) + lambda*sum(eps(1:3)) + 2*shear*eps(1:3)
  sig(4:6) = sig(4:6) + shear*eps(4:6)
  if (etype == 'shell') sig(3) = 0
end subroutine
