! umat43v: the same for many points of solids in one call, with a modulus over time by a curve of the deck.
! cm: E, nu, K, G, number of the curve that scales E.
subroutine umat43v(cm, d1, d2, d3, d4, d5, d6, sig1, sig2, sig3, sig4, sig5, sig6, epsps, hsvs, lft, llt, dt1siz, &
                   capa, etype, tt, temps, failels, nlqa, crv, nnpcrv, cma, qmat, elsizv, idelev, reject)
  implicit none
  integer(4) :: lft, llt, nlqa, nnpcrv(*)
  real(8), dimension(nlqa) :: d1, d2, d3, d4, d5, d6, sig1, sig2, sig3, sig4, sig5, sig6, epsps, dt1siz, temps, elsizv
  real(8) :: cm(*), hsvs(nlqa, *), capa, tt, crv(*), cma(*), qmat(nlqa, 3, 3)
  character(5) :: etype
  logical(4) :: failels(nlqa), reject
  integer(8) :: idelev(nlqa)
  real(8) :: scale, slope, shear, lambda, volume
  integer :: i

  call crval(crv, nnpcrv, cm(5), tt, scale, slope)
  shear = scale*cm(1)/(2*(1 + cm(2)))
  lambda = scale*cm(1)*cm(2)/((1 + cm(2))*(1 - 2*cm(2)))
  do i = lft, llt
    volume = d1(i) + d2(i) + d3(i)
    sig1(i) = sig1(i) + lambda*volume + 2*shear*d1(i)
    sig2(i) = sig2(i) + lambda*volume + 2*shear*d2(i)
    sig3(i) = sig3(i) + lambda*volume + 2*shear*d3(i)
    sig4(i) = sig4(i) + shear*d4(i)
    sig5(i) = sig5(i) + shear*d5(i)
    sig6(i) = sig6(i) + shear*d6(i)
    hsvs(i, 1) = hsvs(i, 1) + abs(volume)
  end do
end subroutine
